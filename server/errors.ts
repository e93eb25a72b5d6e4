import type { RuleRefusalCode } from '../src/wire/director/refusal-code.js';

export interface ApiErrorOptions extends ErrorOptions {
  /** Goes into the answer's `data`, beside `message` and `code`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A no that is meant for the caller. Its message and code are public; the cause is not. */
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
    this.headers = headers;
  }

  /** The `fail` envelope of wire-facts 1.1. */
  toBody() {
    return { status: 'fail', data: { ...this.details, message: this.message, code: this.code } };
  }
}

/** 400: what was sent cannot be read. `errors` names each field with what is wrong with it. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';

  constructor(
    readonly errors: Readonly<Record<string, readonly string[]>>,
    { code = 'invalid_request', ...options }: ErrorOptions & { readonly code?: string | undefined } = {},
  ) {
    super(400, code, `Validation errors: ${summary(errors)}`, { ...options, details: { errors } });
  }
}

/** 401: no login, or a wrong one. Codes: `secret_missing`, `secret_wrong`, `login_required`, `login_code_wrong`. */
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError';

  constructor(code: string, message: string) {
    super(401, code, message);
  }
}

/** 404: nothing of this account is there. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';

  constructor(code: string, message: string) {
    super(404, code, message);
  }
}

/** 409: it would contradict what is there. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';

  constructor(code: string, message: string) {
    super(409, code, message);
  }
}

/** How soon a database that does not answer is worth asking for again, in seconds. */
const DATABASE_RETRY_SECONDS = 2;

export interface DatabaseUnavailableOptions extends ErrorOptions {
  /** The answer to a write was lost: it may or may not have been done. */
  readonly outcomeUnknown?: boolean | undefined;
  /** The database answers, and could not do this one thing in time. */
  readonly isBusy?: boolean | undefined;
}

/** 503: the database did not answer, or not in time. Only the store makes these (server/store/availability/database-fault.ts). */
export class DatabaseUnavailableError extends ApiError {
  override name = 'DatabaseUnavailableError';
  readonly isBusy: boolean;

  constructor({ outcomeUnknown = false, isBusy = false, cause }: DatabaseUnavailableOptions = {}) {
    super(
      503,
      'database_unavailable',
      outcomeUnknown
        ? 'The server lost its database while it saved this: it may or may not have been done. Look before you ask again; a create with an Idempotency-Key can be repeated'
        : isBusy
          ? "The server's database is busy, and nothing was changed; try again in a moment"
          : 'The server cannot reach its database; try again in a moment',
      {
        cause,
        headers: { 'retry-after': String(DATABASE_RETRY_SECONDS) },
        ...(outcomeUnknown && { details: { outcome: 'unknown' } }),
      },
    );
    this.isBusy = isBusy;
  }
}

/** 507: nothing can be saved. Only the store makes these. */
export class DiskFullError extends ApiError {
  override name = 'DiskFullError';

  constructor({ cause }: ErrorOptions = {}) {
    super(
      507,
      'disk_full',
      "The disk of the server's database is full, and nothing was changed; make room on it and ask again",
      { cause, headers: { 'retry-after': '60' } },
    );
  }
}

/** A rule said no. Statuses and wording are those that clients act on (wire-facts 2.4). */
export class AccessDeniedError extends ApiError {
  override name = 'AccessDeniedError';

  constructor(
    readonly reason: RuleRefusalCode,
    { retryInMs, ...details }: Readonly<Record<string, unknown>> & { readonly retryInMs?: number | undefined } = {},
  ) {
    // Rounded up: asked a moment too early, the answer would be the same.
    const seconds = retryInMs === undefined ? NAME_RETRY_SECONDS : Math.max(1, Math.ceil(retryInMs / 1000));
    super(denialStatus(reason), reason, denialMessage(reason), {
      details,
      headers: reason === 'stream_in_use' ? { 'retry-after': String(seconds) } : {},
    });
  }
}

/** How soon a name in use is worth asking for again. */
const NAME_RETRY_SECONDS = 5;

// Clients stop retrying on 401 only, so it stands for every no that waiting cannot change.
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
  address_not_allowed: [401, 'Unauthorized: IP Address not allowed'],
  address_not_bound: [401, 'Unauthorized: IP Address not allowed, every place of the token is taken'],
};

export function denialStatus(reason: RuleRefusalCode): number {
  return DENIALS[reason][0];
}

/** What an answer says to a person. Viewers in the field match parts of these. */
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
