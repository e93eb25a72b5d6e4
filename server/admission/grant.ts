import type { AccessRequest } from '../rules/access-request.js';
import type { SignedRestrictions } from '../tokens/compiled-token.js';

/** What an admitted caller may do: open one websocket session, once, within a minute. */
export interface Grant {
  readonly role: 'Publish' | 'Subscribe';
  readonly accountId: string;
  readonly streamName: string;
  /** The id of the session to be opened: 32 hex digits. Also identifies a spent grant. */
  readonly sessionId: string;
  /** The token that admitted the caller; null for a viewer without one. */
  readonly tokenId: number | null;
  /**
   * The fingerprint of the token's value. After a refresh of the token it no longer matches, and the grant is refused.
   */
  readonly tokenFingerprint: string | null;
  /** The restrictions of a self-signed token. They apply to the session whatever happens to the parent token. */
  readonly signed: SignedRestrictions | null;
  /** The context of the last admission. Later decisions use it. */
  readonly origin: string | null;
  readonly address: string;
  /** The protocol, if rules depend on it. Grants for the websocket have none. */
  readonly via?: AccessRequest['via'];
  /**
   * Viewers of a recording: the publish token of the recording, which decides instead of those of the stream whether
   * they need a token. Null: it is deleted. Undefined: they watch the stream. It is not part of the signed grant.
   */
  readonly recordedWith?: number | null | undefined;
  /** The origin of the only server that accepts the grant. Undefined: every server does. */
  readonly node?: string | undefined;
  /** Publishers who lost their connection: the session whose source they may take over. */
  readonly resumes: string | null;
  /** The sessions that resumed one another before this one: the id of the first, and how many they are. */
  readonly chain?: { readonly id: string; readonly turn: number } | undefined;
}

/** Where a request comes from: the origin of its page, if it has one, and the address of the client. */
export type RequestContext = Pick<Grant, 'origin' | 'address'>;

/** The time from the director's answer to the upgrade of the websocket. */
export const GRANT_LIFETIME_S = 60;
