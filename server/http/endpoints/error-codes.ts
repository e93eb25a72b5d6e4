/** What the rules refuse, by status: the same for the director, WHIP and WHEP. */
export const ADMISSION_CODES = {
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

/** Of every call that may have to read or write the database. */
export const DATABASE_CODES = { 503: ['database_unavailable'], 507: ['disk_full'] };
