import type { RuleRefusalCode } from '../wire/director/refusal-code.js';
import type { StopCode } from '../wire/websocket/stop-code.js';

/**
 * Why the server refused a request or ended a session. Codes are stable, and each has a page in docs/errors. The list is
 * closed, so that a misspelt code does not compile. A later server may still send another one, which is final unless
 * the error is `retryable`: a `switch` needs a `default`.
 */
export type RefusalCode = RuleRefusalCode | StopCode | ServerRefusalCode;

/** Refusals that do not depend on the access rules. */
export type ServerRefusalCode =
  /** The request or the command has a field that cannot be read. */
  | 'invalid_request'
  | 'invalid_command'
  /** The grant of the websocket is unknown, too old, or was used before. */
  | 'grant_invalid'
  | 'grant_expired'
  | 'grant_spent'
  /** Another server has the stream, or the grant is for another server. The client asks the director again. */
  | 'wrong_node'
  /** The offer is not valid, or has no codec that the server relays. */
  | 'invalid_sdp'
  | 'no_common_codec'
  | 'bundle_required'
  /** The media has two tracks of one kind. */
  | 'too_many_tracks'
  /** The requested source does not publish. */
  | 'unknown_source'
  | 'too_many_commands'
  /** The media engine of this stream cannot do this, such as to select a layer. */
  | 'engine_unsupported'
  /** The server that carries the media of this stream is set up wrongly. */
  | 'upstream_refused'
  /** The server, its media engine, its database or its disk has a fault or too much to do. The client retries. */
  | 'busy'
  /** Too many clients of this network are connecting. */
  | 'network_busy'
  | 'internal'
  | 'engine_unavailable'
  | 'database_unavailable'
  | 'disk_full'
  /** Another server of this wire refused without a code. */
  | 'refused';

/** The kind of an error. */
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
  | 'capture_unsupported'
  | 'capture_failed'
  | 'capture_no_screen';

export interface StreamErrorOptions {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The base class of all errors of this package. `code` is the kind. No message contains a token. */
export class StreamError extends Error {
  override name = 'StreamError';
  /** Whether the same request can succeed later. The phase shows whether the client retries by itself. */
  readonly retryable: boolean;
  /** The wait before the next request that the server asked for, in milliseconds. */
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

/** The server refused the request, or ended an admitted session. `reason` is the refusal code. */
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

/** There was no answer, the answer broke off, or the media path failed (`media_lost`). */
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
