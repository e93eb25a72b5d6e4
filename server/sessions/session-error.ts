import { ruleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { AccessDeniedError, ApiError } from '../errors.js';
import { MediaError, type MediaErrorCode } from '../media/engine/media-error.js';
import type { StopNotice } from './stop-notice.js';

export type SessionErrorCode =
  | 'already_connected'
  | 'not_connected'
  | 'session_ended'
  | 'stream_in_use'
  /** Another server has the stream. */
  | 'wrong_node'
  | 'database_unavailable';

/** A session refused a request of its client. The code is stable; the message is for the user of the client. */
export class SessionError extends Error {
  override name = 'SessionError';

  constructor(
    readonly code: SessionErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An engine that is at its limit or that restarts can usually be asked again after this time. */
const ENGINE_RETRY_SECONDS = 5;
const DATABASE_RETRY_SECONDS = 2;

const STATUSES: Readonly<Record<MediaErrorCode, number>> = {
  invalid_sdp: 400,
  no_common_codec: 400,
  bundle_required: 400,
  too_many_tracks: 400,
  stream_in_use: 409,
  engine_unavailable: 503,
  unknown_source: 404,
  unknown_media: 404,
  answer_required: 406,
  engine_unsupported: 501,
  upstream_refused: 502,
};

/** The HTTP answer to an error of a session or of its media. Other errors are returned unchanged. */
export function sessionApiError(error: unknown): unknown {
  if (!(error instanceof MediaError) && !(error instanceof SessionError)) return error;
  if (error.code === 'stream_in_use') return new AccessDeniedError('stream_in_use');
  if (error.code === 'database_unavailable' || error.code === 'wrong_node') {
    const headers = { 'retry-after': String(DATABASE_RETRY_SECONDS) };
    return new ApiError(503, error.code, error.message, { cause: error, headers });
  }
  if (error instanceof SessionError) return new ApiError(409, error.code, error.message, { cause: error });
  const status = STATUSES[error.code];
  const headers = status === 503 ? { 'retry-after': String(ENGINE_RETRY_SECONDS) } : {};
  return new ApiError(status, error.code, error.message, { cause: error, headers });
}

/** The HTTP answer for a session that was stopped before its media was connected. */
export function stopApiError({ code, message }: StopNotice): ApiError {
  const refusal = ruleRefusalCode.safeParse(code);
  if (refusal.success) return new AccessDeniedError(refusal.data);
  // Final: of two clients that displace each other, or against the owner's will, none may try again.
  if (code === 'displaced' || code === 'removed_by_owner') return new ApiError(401, code, message);
  return new ApiError(503, code, message, { headers: { 'retry-after': String(ENGINE_RETRY_SECONDS) } });
}
