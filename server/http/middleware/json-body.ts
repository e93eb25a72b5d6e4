import { json, type RequestHandler } from 'express';

/** The largest JSON body, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Parses JSON bodies into `req.body`. error-handler.ts responds to the parser's errors.
 * @param types media types to accept, beside `application/json`
 */
export function jsonBody(...types: readonly string[]): RequestHandler {
  return json({ limit: MAX_BODY_BYTES, type: ['application/json', ...types] });
}
