import type { RuleRefusalCode } from '../wire/director/refusal-code.js';
import type { StopCode } from '../wire/websocket/stop-code.js';

/**
 * Why the server refused a request or ended a session. Codes are stable, and each has a page in docs/errors. A later
 * server may send a code that is not in this list, which is final unless the error is `retryable`.
 */
export type RefusalCode = RuleRefusalCode | StopCode | ServerRefusalCode | (string & {});

/** Refusals of the server itself, whatever the rules say. */
export type ServerRefusalCode =
  /** The request or the command has a field that cannot be read. */
  | 'invalid_request'
  | 'invalid_command'
  /** The grant of the websocket is unknown, too old, or was used before. */
  | 'grant_invalid'
  | 'grant_expired'
  | 'grant_spent'
  /** The offer is not valid, or has no codec that the server relays. */
  | 'invalid_sdp'
  | 'no_common_codec'
  /** The source that was asked for does not publish. */
  | 'unknown_source'
  | 'too_many_commands'
  /** The server, its media engine, its database or its disk has a fault or too much to do. The client retries. */
  | 'busy'
  | 'internal'
  | 'engine_unavailable'
  | 'database_unavailable'
  | 'disk_full'
  /** Another server of this wire refused without a code. */
  | 'refused';

/** What kind of error it is. */
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

/** Every error of this package. `code` tells them apart. No message holds a token, or a URL with one. */
export class StreamError extends Error {
  override name = 'StreamError';
  /** Whether the same request can succeed later, unchanged. The phase says whether the client retries by itself. */
  readonly retryable: boolean;
  /** How long to wait before the next request, as the server asked, in milliseconds. */
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

/** The server refused the request, or ended a session that it had admitted. `reason` says why. */
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

/** There was no answer, the answer broke off, or (`media_lost`) the media path failed. */
export class UnreachableError extends StreamError {
  override name = 'UnreachableError';

  constructor(message: string, code: 'unreachable' | 'media_lost' = 'unreachable', cause?: unknown) {
    super(code, message, { retryable: true, cause });
  }
}

/** Any thrown value as an error of this package. */
export function asStreamError(thrown: unknown): StreamError {
  return thrown instanceof StreamError
    ? thrown
    : new StreamError('unexpected', thrown instanceof Error ? thrown.message : String(thrown), {
        cause: thrown,
      });
}
