import { ruleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { AccessDeniedError, ApiError } from '../errors.js';
import { MediaError, type MediaErrorCode } from '../media/media-engine.js';
import { SessionError } from './session-error.js';
import type { StopNotice } from './session-events.js';

/** An engine that carries all it can, or that is starting again, is worth asking again soon. */
const ENGINE_RETRY_SECONDS = 5;

const STATUSES: Readonly<Record<MediaErrorCode, number>> = {
  invalid_sdp: 400,
  no_common_codec: 400,
  stream_in_use: 409,
  engine_unavailable: 503,
  unknown_source: 404,
  unknown_media: 404,
};

/** What a session or its media would not do, as an answer over HTTP. Anything else is thrown on as it is. */
export function sessionApiError(error: unknown): unknown {
  if (!(error instanceof MediaError) && !(error instanceof SessionError)) return error;
  if (error.code === 'stream_in_use') return new AccessDeniedError('stream_in_use');
  if (error instanceof SessionError) return new ApiError(409, error.code, error.message, { cause: error });
  const status = STATUSES[error.code];
  const headers = status === 503 ? { 'retry-after': String(ENGINE_RETRY_SECONDS) } : {};
  return new ApiError(status, error.code, error.message, { cause: error, headers });
}

/** Why a session ended before it had begun. */
export function stopApiError({ code, message }: StopNotice): ApiError {
  const denied = ruleRefusalCode.safeParse(code);
  if (denied.success) return new AccessDeniedError(denied.data);
  return new ApiError(503, code, message, { headers: { 'retry-after': String(ENGINE_RETRY_SECONDS) } });
}
