import * as z from 'zod/mini';
import { text } from '../text.js';

/** The name with which a member logs in, beside a password. Unique on the server; its letter case does not matter. */
export const loginName = z
  .string()
  .check(z.regex(/^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u, 'must be 1 to 64 letters, digits or the characters ._@+-'));

const password = text.check(z.minLength(1), z.maxLength(1_000));
const newPassword = text.check(z.minLength(12, 'needs 12 characters'), z.maxLength(128, 'has at most 128 characters'));

/** Of an authenticator app: six digits. */
const code = z.string().check(z.regex(/^\d{6}$/, 'must be six digits'));

/** Body of `PUT /api/account/password`. */
export const setPassword = z.strictObject({
  loginName,
  password: newPassword,
  /** As `POST /api/account/password/options` gave it. */
  setup: text.check(z.minLength(1), z.maxLength(512)),
  /** What the authenticator app shows after the secret was entered. */
  code,
});

/** Body of `POST /api/dashboard/password`. */
export const passwordLogin = z.strictObject({ loginName: text.check(z.minLength(1), z.maxLength(64)), password, code });

export type SetPassword = z.infer<typeof setPassword>;
export type PasswordLogin = z.infer<typeof passwordLogin>;

/** Whether the member has a password. Times are ISO 8601, UTC. */
export const passwordState = z.looseObject({
  /** Null: they have none. */
  loginName: z.nullable(z.string()),
  createdOn: z.nullable(z.string()),
  /** Null: it was not used yet. */
  lastUsedOn: z.nullable(z.string()),
});

export type PasswordState = z.infer<typeof passwordState>;

/** A secret for an authenticator app (RFC 6238), which no later answer has. */
export const passwordOptions = z.looseObject({
  /** Base32, to type. */
  secret: z.string(),
  /** `otpauth:` URI, for a QR code. */
  uri: z.string(),
  /** For `PUT /api/account/password`, within ten minutes. */
  setup: z.string(),
});

export type PasswordOptions = z.infer<typeof passwordOptions>;
