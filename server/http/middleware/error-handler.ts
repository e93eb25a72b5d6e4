import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError } from '../../errors.js';
import { MAX_BODY_BYTES, TOO_MUCH } from '../request/json-body.js';
import { redacted } from '../../log-redaction.js';
import { isForPerson, refusalPage } from '../pages/refusal-page.js';
import { requestIdOf } from '../request/request-id.js';

/** Headers that describe a body (RFC 9110 8 and 14), and how long it may be kept. */
const OF_REPRESENTATION = [
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
];

/**
 * Turns every error into a response. An error that is not meant for the caller is logged, and the response is 500
 * `internal` without details. Bodies, headers and queries are not logged, because they hold tokens, and credentials in
 * paths and messages are left out: the logger may be that of the surrounding application.
 */
export function errorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const requestId = requestIdOf(req);
    if (res.headersSent) {
      const fields = { request: requestId, error: errorFields(error), method: req.method, path: redacted(req.path) };
      log.error(fields, 'a response broke off');
      next(error);
      return;
    }
    // What a route has set already is about the answer that this one replaces.
    for (const header of OF_REPRESENTATION) res.removeHeader(header);
    // Caches keep some refusals for minutes by themselves, such as 404.
    res.set('cache-control', 'no-store');
    const apiError = toApiError(error);
    if (apiError) {
      const { status, code } = apiError;
      log.debug({ request: requestId, method: req.method, status, code }, 'a request was refused');
      res.set(apiError.headers);
      answer(req, res, status, apiError, apiError.toBody(requestId));
      return;
    }
    const fields = { request: requestId, error: errorFields(error), method: req.method, path: redacted(req.path) };
    log.error(fields, 'a request failed');
    const message = 'The server failed to answer this request';
    const code = 'internal';
    answer(req, res, 500, { code, message }, { status: 'error', message, code, requestId, data: null });
  };
}

/** A page for a person, `body` for a program. */
function answer(
  req: Request,
  res: Response,
  status: number,
  { code, message }: { readonly code: string; readonly message: string },
  body: object,
): void {
  res.status(status);
  if (!isForPerson(req)) return void res.json(body);
  const { headers, html } = refusalPage(req, { status, code, message, requestId: requestIdOf(req) });
  res.set(headers).send(html);
}

/** The error for the caller. Undefined: the error is not meant for the caller. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error) || !('status' in error)) return undefined;
  const { status } = error;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return bodyError(status, 'type' in error ? error.type : undefined, error);
}

/** For errors of Express and its body parser. Their own messages may quote the body, so they are not sent. */
function bodyError(status: number, type: unknown, cause: Error): ApiError {
  switch (type) {
    case 'entity.parse.failed':
      return new ApiError(400, 'invalid_json', 'The body is not valid JSON', { cause });
    case TOO_MUCH:
      return new ApiError(400, 'invalid_json', 'The body has too many JSON values or levels: send less at once', {
        cause,
      });
    case 'entity.too.large':
      return new ApiError(413, 'body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes`, { cause });
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ApiError(415, 'not_json', 'The body must be JSON in UTF-8', { cause });
    default:
      return new ApiError(status, 'invalid_request', 'The request cannot be read', { cause });
  }
}

function errorFields(error: unknown): object {
  if (!(error instanceof Error)) return { thrown: typeof error };
  const { name, message, stack, cause } = error;
  return {
    name,
    message: redacted(message),
    stack: stack && redacted(stack),
    ...(cause !== undefined && { cause: errorFields(cause) }),
  };
}
