// Generated from en.json by `npm run generate`. Do not edit.
import type { RefusalReasons } from './refusal-reasons.js';

export const en: RefusalReasons = {
  token_missing: 'There was no token, and the stream needs one.',
  token_unknown: 'The token does not exist.',
  token_wrong_kind: 'The token is of the wrong kind: to watch instead of to publish, or the other way round.',
  token_disabled: 'The token is disabled.',
  token_expired: 'The token has expired.',
  stream_not_permitted: 'The token is for other streams.',
  stream_not_live: 'Nobody was live yet. Without a token, players wait and ask again when it begins.',
  stream_in_use: 'Somebody else was publishing this stream.',
  origin_not_allowed: 'The token is for other websites.',
  address_denied: 'The token refuses this address.',
  address_not_allowed: 'The token is for other addresses.',
  country_not_allowed: 'The token is for other countries.',
  address_not_bound: 'The token is bound to other addresses already.',
  token_full: 'As many as the token permits were watching with it.',
  account_full: 'The account had as many sessions as the operator permits.',
};
