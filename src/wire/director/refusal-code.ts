import * as z from 'zod/mini';

/**
 * Why an access rule denied a request: the `code` of the answer, and the `reason` of the client's error. Codes are
 * stable, and each has a page in docs/errors.
 */
export const ruleRefusalCode = z.enum([
  /** Only a token permits to watch or publish the stream. */
  'token_missing',
  'token_unknown',
  /** A subscribe token cannot publish, and a publish token cannot watch. */
  'token_wrong_kind',
  'token_disabled',
  'token_expired',
  /** The token is for other streams. */
  'stream_not_permitted',
  /** There is no publisher, and viewers without a token cannot wait. */
  'stream_not_live',
  /** Another publisher has this source. */
  'stream_in_use',
  /** The token is for other pages. */
  'origin_not_allowed',
  /** The token denies the address. */
  'address_denied',
  /** The token is for other addresses. */
  'address_not_allowed',
  /** The token is for other countries. */
  'country_not_allowed',
  /** The token is already bound to its maximum number of addresses. */
  'address_not_bound',
  /** As many viewers as the token permits are watching with it. */
  'token_full',
  /** As many sessions as the operator permits the account are open. */
  'account_full',
]);

export type RuleRefusalCode = z.infer<typeof ruleRefusalCode>;
