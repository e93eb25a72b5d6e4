import { json, type RequestHandler } from 'express';

/** The largest JSON body taken, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads JSON bodies into `req.body`. What cannot be read becomes an answer in error-handler.ts.
 * @param types what they may be sent as
 */
export function jsonBody(...types: readonly string[]): RequestHandler {
  return json({ limit: MAX_BODY_BYTES, type: ['application/json', ...types] });
}
