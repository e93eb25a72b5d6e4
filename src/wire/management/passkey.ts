import * as z from 'zod/mini';
import { name, plainText } from '../text.js';

/** The public id of a passkey. */
export const passkeyId = z.string().check(z.regex(/^pky_[0-9a-f]{12}$/, 'must be pky_ and 12 hex digits'));

const passkeyName = name(128);

/** A passkey of a member. Times are ISO 8601, UTC. */
export const passkeyBody = z.looseObject({
  id: z.string(),
  /** Chosen by the member. */
  name: z.string(),
  /** The host name of the dashboard that the passkey was made at. It works only there. */
  host: z.string(),
  /** Whether the passkey is copied to other devices of the member, as password managers do. */
  synced: z.boolean(),
  createdOn: z.string(),
  /** Null: it was not used yet. */
  lastUsedOn: z.nullable(z.string()),
});

export type PasskeyBody = z.infer<typeof passkeyBody>;

/** Answer of `GET /api/account/passkeys`, the oldest first. */
export const passkeyList = z.object({ status: z.literal('success'), data: z.array(passkeyBody) });

/** Bytes as unpadded base64url, as WebAuthn sends them in JSON. */
const bytes = (most: number) =>
  z.string().check(z.regex(/^[\w-]+$/, 'must be base64url'), z.maxLength(most, 'is too long'));

const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
};

/** A new credential, as `PublicKeyCredential.toJSON()` of WebAuthn gives it. */
export const newCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_192),
    attestationObject: bytes(32_768),
    transports: z.optional(z.array(plainText.check(z.maxLength(32))).check(z.maxLength(16))),
  }),
});

/** A credential that signs in, as `PublicKeyCredential.toJSON()` of WebAuthn gives it. */
export const signedCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(8_192),
    authenticatorData: bytes(8_192),
    signature: bytes(4_096),
    userHandle: z.optional(z.nullable(bytes(128))),
  }),
});

export type NewCredential = z.infer<typeof newCredential>;
export type SignedCredential = z.infer<typeof signedCredential>;

/** Body of `POST /api/account/passkeys`. */
export const addPasskey = z.strictObject({ name: passkeyName, credential: newCredential });

/** Body of `PUT /api/account/passkeys/{id}`. */
export const updatePasskey = z.strictObject({ name: passkeyName });

/** Body of `POST /api/dashboard/passkey`. */
export const passkeyLogin = z.strictObject({ credential: signedCredential });

export type AddPasskey = z.infer<typeof addPasskey>;
export type UpdatePasskey = z.infer<typeof updatePasskey>;

const descriptor = z.looseObject({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
});

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()` of WebAuthn, with which a browser makes a passkey. */
export const passkeyCreationOptions = z.looseObject({
  rp: z.looseObject({ id: z.optional(z.string()), name: z.string() }),
  user: z.looseObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.looseObject({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.optional(z.number()),
  excludeCredentials: z.optional(z.array(descriptor)),
});

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()` of WebAuthn, with which a browser uses a passkey. */
export const passkeyRequestOptions = z.looseObject({
  challenge: z.string(),
  timeout: z.optional(z.number()),
  rpId: z.optional(z.string()),
  userVerification: z.optional(z.string()),
});

export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptions>;
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptions>;
