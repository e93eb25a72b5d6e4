import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { InvalidRequestError, type ApiError } from '../errors.js';
import { toApiError } from '../http/middleware/error-handler.js';

/** Where an answer in plain text has its code: a body of WHIP and WHEP is for people. */
export const CODE_HEADER = 'Streamgate-Code';

/**
 * Says no as existing WHIP and WHEP services do: in plain text (wire-facts 4.3). Paths are not logged, for that of a
 * session is the key to it.
 */
export function plainTextErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) return next(error);
    const refusal = toApiError(error);
    if (refusal) {
      res.status(refusal.status).set(refusal.headers).set(CODE_HEADER, refusal.code);
      res.type('text/plain').send(textOf(refusal));
      return;
    }
    log.error({ err: error, method: req.method }, 'a WHIP or WHEP request failed');
    res.status(500).set(CODE_HEADER, 'internal').type('text/plain').send('something went wrong in the server');
  };
}

function textOf(refusal: ApiError): string {
  if (!(refusal instanceof InvalidRequestError)) return refusal.message;
  const lines = Object.entries(refusal.errors).map(([field, messages]) => `${field}: ${messages.join(', ')}`);
  return ['Validation errors:', ...lines].join('\n');
}
