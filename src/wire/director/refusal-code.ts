import * as z from 'zod/mini';

/**
 * Why an access rule denied a request: the `code` of the answer, and the `reason` of the client's error. Codes are
 * stable, and each has a page in docs/errors.
 */
export const ruleRefusalCode = z.enum([
  /** The stream can be watched or published with a token only. */
  'token_missing',
  'token_unknown',
  /** A subscribe token cannot publish, and a publish token cannot watch. */
  'token_wrong_kind',
  'token_disabled',
  'token_expired',
  /** The token is for other streams. */
  'stream_not_permitted',
  /** Nobody publishes, and viewers without a token cannot wait. */
  'stream_not_live',
  /** Somebody else publishes under this name. */
  'stream_in_use',
  /** The token is for other pages. */
  'origin_not_allowed',
  /** The token is for other addresses. */
  'address_not_allowed',
  /** The token is bound to as many addresses as it may be. */
  'address_not_bound',
]);

export type RuleRefusalCode = z.infer<typeof ruleRefusalCode>;
