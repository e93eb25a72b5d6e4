import * as z from 'zod/mini';

/** Names an account in addresses and stream ids: `ACCOUNT/STREAM`. */
export const accountId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores'));
