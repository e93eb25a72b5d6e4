import type { IncomingMessage } from 'node:http';
import { text, type RequestHandler } from 'express';
import type * as z from 'zod/mini';
import { ApiError } from '../../errors.js';
import { MAX_BODY_BYTES } from './json-body.js';
import { hasBody, parse, type WithBody } from './parse.js';

/** Reads bodies of a type, such as `text/csv`, into `req.body`. error-handler.ts responds to the parser's errors. */
export function textBody(type: string, limit: number = MAX_BODY_BYTES): RequestHandler {
  return text({ type, limit });
}

/**
 * A request without a body is parsed as an empty text.
 * @throws {ApiError} 415 `not_csv`: the body has another type
 * @throws {InvalidRequestError} as `parse` does
 */
export function parseTextBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  type: string,
  req: IncomingMessage & WithBody,
): z.output<Schema> {
  // The parser does not read an empty body.
  if (typeof req.body === 'string' || !hasBody(req)) return parse(schema, req.body ?? '');
  throw new ApiError(415, 'not_csv', `The body must be a table, sent with Content-Type: ${type}`);
}
