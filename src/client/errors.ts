import type { Reason } from '../wire/reason.js';
import type { StopReason } from '../wire/stop-reason.js';

/** The service's word for a refusal. Newer servers know words that this client does not: treat those as final. */
export type RefusalReason = Reason | StopReason | (string & {});

export type StreamErrorCode =
  'rejected' | 'unreachable' | 'malformed_answer' | 'media_lost' | 'webrtc_missing' | 'unexpected' | CaptureErrorCode;

export type CaptureErrorCode =
  'capture_denied' | 'capture_no_device' | 'capture_in_use' | 'capture_insecure' | 'capture_failed';

/** Every error of this package, told apart by `code`. Messages never hold a token or an address with one. */
export class StreamError extends Error {
  override name = 'StreamError';

  constructor(
    readonly code: StreamErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether the same request, unchanged, can succeed later. */
  get retryable(): boolean {
    return false;
  }

  /** How long the service asked to be left alone, in milliseconds. */
  get retryAfterMs(): number {
    return 0;
  }
}

/** The service understood and said no, or ended a session that it had admitted. `reason` is its word for why. */
export class RejectedError extends StreamError {
  override name = 'RejectedError';
  readonly #retryable: boolean;
  readonly #retryAfterMs: number;

  constructor(
    readonly reason: RefusalReason,
    message: string,
    { retryable = false, retryAfterMs = 0 }: { retryable?: boolean; retryAfterMs?: number } = {},
  ) {
    super('rejected', message);
    this.#retryable = retryable;
    this.#retryAfterMs = retryAfterMs;
  }

  override get retryable(): boolean {
    return this.#retryable;
  }

  override get retryAfterMs(): number {
    return this.#retryAfterMs;
  }
}

/** Nothing answered, the answer broke off, or the media path went away. */
export class UnreachableError extends StreamError {
  override name = 'UnreachableError';

  constructor(message: string, { code = 'unreachable', cause }: { code?: StreamErrorCode; cause?: unknown } = {}) {
    super(code, message, { cause });
  }

  override get retryable(): boolean {
    return true;
  }
}

/** Whatever was thrown, as an error of this package. */
export function asStreamError(thrown: unknown): StreamError {
  return thrown instanceof StreamError
    ? thrown
    : new StreamError('unexpected', thrown instanceof Error ? thrown.message : 'Something unexpected went wrong', {
        cause: thrown,
      });
}
