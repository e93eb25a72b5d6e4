import type { RuleRefusalCode } from '../wire/director/refusal-code.js';
import type { StopCode } from '../wire/websocket/stop-code.js';

/** The service's word for a refusal. Newer servers know words that this client does not: treat those as final. */
export type RefusalCode = RuleRefusalCode | StopCode | (string & {});

export type StreamErrorCode =
  | 'rejected'
  | 'unreachable'
  | 'malformed_answer'
  | 'media_lost'
  | 'webrtc_missing'
  | 'token_unavailable'
  | 'unexpected'
  | CaptureErrorCode;

export type CaptureErrorCode =
  | 'capture_denied'
  | 'capture_no_device'
  | 'capture_in_use'
  | 'capture_insecure'
  | 'capture_failed'
  | 'capture_no_screen';

export interface StreamErrorOptions {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Every error of this package, told apart by `code`. Messages never hold a token or an address with one. */
export class StreamError extends Error {
  override name = 'StreamError';
  /** Whether the same request, unchanged, can succeed later. Whether it is tried again by itself is said by the phase. */
  readonly retryable: boolean;
  /** How long the service asked to be left alone, in milliseconds. */
  readonly retryAfterMs: number;

  constructor(
    readonly code: StreamErrorCode,
    message: string,
    { retryable = false, retryAfterMs = 0, cause }: StreamErrorOptions = {},
  ) {
    super(message, { cause });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service understood and said no, or ended a session that it had admitted. `reason` is its word for why. */
export class RejectedError extends StreamError {
  override name = 'RejectedError';

  constructor(
    readonly reason: RefusalCode,
    message: string,
    options?: StreamErrorOptions,
  ) {
    super('rejected', message, options);
  }
}

/** Nothing answered, the answer broke off, or (`media_lost`) the media path went away. */
export class UnreachableError extends StreamError {
  override name = 'UnreachableError';

  constructor(message: string, code: 'unreachable' | 'media_lost' = 'unreachable', cause?: unknown) {
    super(code, message, { retryable: true, cause });
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
