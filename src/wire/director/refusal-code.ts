import * as z from 'zod/mini';

/**
 * Why a rule said no: the word the rule denies with, the answer carries as `code`, and the client error reports.
 * The words are stable; each has a page in docs/errors.
 */
export const ruleRefusalCode = z.enum([
  'token_missing',
  'token_unknown',
  'token_wrong_kind',
  'token_disabled',
  'token_expired',
  'stream_not_permitted',
  'stream_not_live',
  'stream_in_use',
  'origin_not_allowed',
  'address_not_allowed',
  'address_not_bound',
]);

export type RuleRefusalCode = z.infer<typeof ruleRefusalCode>;
