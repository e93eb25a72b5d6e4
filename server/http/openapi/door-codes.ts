/** What rules refuse at every way in, by status. */
export const DOOR_CODES = {
  401: [
    'token_missing',
    'token_unknown',
    'token_wrong_kind',
    'token_disabled',
    'token_expired',
    'stream_not_permitted',
    'origin_not_allowed',
    'address_not_allowed',
    'address_not_bound',
  ],
};
