/** A credential of a member that signs them in to the dashboard (WebAuthn). */
export interface Passkey {
  /** As `passkeyIdOf`. */
  readonly id: string;
  /** Base64url, chosen by the authenticator. */
  readonly credentialId: string;
  readonly accountId: string;
  readonly memberId: string;
  readonly name: string;
  /** The host name that the passkey was made for (WebAuthn: RP ID). */
  readonly host: string;
  /** COSE, in base64url. */
  readonly publicKey: string;
  /** Grows with each use. Always 0: the authenticator does not count. */
  readonly counter: number;
  /** How a browser reaches the authenticator, such as `internal` or `usb`. */
  readonly transports: readonly string[];
  /** Whether the authenticator copies it to other devices. */
  readonly synced: boolean;
  /** Milliseconds since 1970. */
  readonly createdOn: number;
  /** Null: it was not used yet. */
  readonly lastUsedOn: number | null;
}

/** The most passkeys of one member. */
export const MAX_PASSKEYS = 20;
