import type { RuleRefusalCode } from '../src/wire/director/refusal-code.js';

export interface ApiErrorOptions extends ErrorOptions {
  /** Further fields of `data` in the response, beside `message` and `code`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An error for the caller. Message and code are sent; the cause is not. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { details = {}, headers = {}, ...options }: ApiErrorOptions = {},
  ) {
    super(message, options);
    this.details = details;
    // RFC 9110 section 11.6.1: how to present what is missing or wrong.
    this.headers = status === 401 ? { 'www-authenticate': 'Bearer', ...headers } : headers;
  }

  /** The `fail` response body, as existing clients read it. @param requestId of the refused request */
  toBody(requestId: string) {
    return { status: 'fail', data: { ...this.details, message: this.message, code: this.code, requestId } };
  }
}

/** 400: the request is not valid. `errors` has the messages of each wrong field. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';

  constructor(
    readonly errors: Readonly<Record<string, readonly string[]>>,
    { code = 'invalid_request', ...options }: ErrorOptions & { readonly code?: string | undefined } = {},
  ) {
    super(400, code, `Validation errors: ${summary(errors)}`, { ...options, details: { errors } });
  }
}

/** 401: the credentials are missing or wrong. Codes: `secret_missing`, `secret_wrong`, `login_required`, `login_code_wrong`. */
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError';

  constructor(code: string, message: string) {
    super(401, code, message);
  }
}

/** 404: the account has no such thing. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';

  constructor(code: string, message: string) {
    super(404, code, message);
  }
}

/** 409: the request conflicts with what exists. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';

  constructor(code: string, message: string) {
    super(409, code, message);
  }
}

/** When to try again while the database does not answer, in seconds. */
const DATABASE_RETRY_SECONDS = 2;

const DATABASE_FAULTS = {
  unreachable: 'The server cannot reach its database; try again in a moment',
  /** The connection was lost during a write, which may or may not have been saved. */
  unconfirmed:
    'The server lost its database while saving: the change may or may not have been made. Check before you repeat the request; a create with an Idempotency-Key can be repeated',
  /** The database answers, but not in time. */
  busy: 'The database of the server is busy, and nothing was changed; try again in a moment',
  /** The database answers, and accepts no write: it is a standby, or a setting or the file system forbids it. */
  'read-only': 'The database of the server is read-only, and nothing was changed; try again in a moment',
} as const;

/** Why a statement got no result, although nothing was wrong with it. */
export type DatabaseFault = keyof typeof DATABASE_FAULTS;

export interface DatabaseUnavailableOptions extends ErrorOptions {
  readonly fault?: DatabaseFault | undefined;
}

/** 503: the database cannot do its work. Only the store creates these (server/store/availability/database-fault.ts). */
export class DatabaseUnavailableError extends ApiError {
  override name = 'DatabaseUnavailableError';
  readonly fault: DatabaseFault;

  constructor({ fault = 'unreachable', cause }: DatabaseUnavailableOptions = {}) {
    super(503, 'database_unavailable', DATABASE_FAULTS[fault], {
      cause,
      headers: { 'retry-after': String(DATABASE_RETRY_SECONDS) },
      ...(fault === 'unconfirmed' && { details: { outcome: 'unknown' } }),
    });
    this.fault = fault;
  }
}

/** When to try again while the server stops, in seconds. */
const STOPPING_RETRY_SECONDS = 5;

/** 503: the server stops, and opens no new session. */
export class ServerStoppingError extends ApiError {
  override name = 'ServerStoppingError';

  constructor() {
    super(503, 'server_stopping', 'The server is stopping; try again in a moment', {
      headers: { 'retry-after': String(STOPPING_RETRY_SECONDS) },
    });
  }
}

/** 507: the disk is full. Only the store creates these. */
export class DiskFullError extends ApiError {
  override name = 'DiskFullError';

  constructor({ cause }: ErrorOptions = {}) {
    super(
      507,
      'disk_full',
      'The disk of the database is full, and nothing was changed; free some space and try again',
      { cause, headers: { 'retry-after': '60' } },
    );
  }
}

/** A rule refused the request. Clients depend on these statuses and messages. */
export class AccessDeniedError extends ApiError {
  override name = 'AccessDeniedError';

  constructor(
    readonly reason: RuleRefusalCode,
    { retryInMs, ...details }: Readonly<Record<string, unknown>> & { readonly retryInMs?: number | undefined } = {},
  ) {
    // Rounded up: a retry a moment too early would be refused again.
    const seconds = retryInMs === undefined ? CONFLICT_RETRY_SECONDS : Math.max(1, Math.ceil(retryInMs / 1000));
    super(denialStatus(reason), reason, denialMessage(reason), {
      details,
      headers: denialStatus(reason) === 409 ? { 'retry-after': String(seconds) } : {},
    });
  }
}

/** When to try again while a stream name is in use, or a token is full, in seconds. */
const CONFLICT_RETRY_SECONDS = 5;

// Existing clients stop retrying only on 401, so every refusal that a retry cannot change has status 401.
const DENIALS: Readonly<Record<RuleRefusalCode, readonly [status: number, message: string]>> = {
  token_missing: [401, 'Unauthorized: Token required'],
  token_unknown: [401, 'Unauthorized: Invalid token'],
  token_wrong_kind: [401, 'Unauthorized: Invalid token, it is of the other kind'],
  token_disabled: [401, 'Unauthorized: Token disabled'],
  token_expired: [401, 'Unauthorized: Token expired'],
  stream_not_permitted: [401, 'Unauthorized: StreamName is not valid for token'],
  stream_not_live: [400, 'stream not being published'],
  stream_in_use: [409, 'stream name is in use'],
  origin_not_allowed: [401, 'Unauthorized: Origin not allowed'],
  address_denied: [401, 'Unauthorized: IP Address denied'],
  address_not_allowed: [401, 'Unauthorized: IP Address not allowed'],
  country_not_allowed: [401, 'Unauthorized: Country not allowed'],
  address_not_bound: [401, 'Unauthorized: IP Address not allowed, the token is bound to other addresses'],
  // Not 401: a viewer may leave at any time, so clients try again later.
  token_full: [409, 'the maximum number of viewers is watching with this token'],
  account_full: [409, 'the account has as many sessions as the operator permits'],
};

export function denialStatus(reason: RuleRefusalCode): number {
  return DENIALS[reason][0];
}

/** The message for people. Existing clients match parts of these messages. */
export function denialMessage(reason: RuleRefusalCode): string {
  return DENIALS[reason][1];
}

const SUMMARY_LENGTH = 500;

function summary(errors: Readonly<Record<string, readonly string[]>>): string {
  const text = Object.entries(errors)
    .map(([field, messages]) => (field ? `${field}: ${messages.join(', ')}` : messages.join(', ')))
    .join('; ');
  return text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH)}…` : text;
}
