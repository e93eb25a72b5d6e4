import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../../errors.js';
import { MAX_BODY_BYTES } from './json-body.js';

/**
 * The one place an error becomes an answer. What was not meant for the caller is logged and not said: an error of ours
 * answers 500 `internal`. Neither bodies nor headers nor queries are logged, for they hold tokens.
 */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      log.error({ error: described(error), method: req.method, path: req.path }, 'an answer broke off');
      next(error);
      return;
    }
    const refusal = toApiError(error);
    if (refusal) {
      res.status(refusal.status).set(refusal.headers).json(refusal.toBody());
      return;
    }
    log.error({ error: described(error), method: req.method, path: req.path }, 'a request failed');
    res
      .status(500)
      .json({ status: 'error', message: 'something went wrong in the server', code: 'internal', data: null });
  };
}

/** The no that an error means for the caller; undefined for one that is none of his business. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const { status } = error;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return unreadable(status, 'type' in error ? error.type : undefined, error);
}

/** What express and its body parser refuse before a route sees it. Their messages may quote the body: ours do not. */
function unreadable(status: number, type: unknown, cause: Error): ApiError {
  switch (type) {
    case 'entity.parse.failed':
      return new ApiError(400, 'invalid_json', 'The body is not valid JSON', { cause });
    case 'entity.too.large':
      return new ApiError(413, 'body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes`, { cause });
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ApiError(415, 'not_json', 'The body must be JSON in UTF-8', { cause });
    default:
      return new ApiError(status, 'invalid_request', 'The request cannot be read', { cause });
  }
}

function described(error: unknown): object {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: described(cause) }) };
}
