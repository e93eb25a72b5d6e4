import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { UNSUPPORTED_FIELD } from '../../../src/wire/management/unsupported-field.js';
import { ApiError, InvalidRequestError } from '../../errors.js';

// Said per call and not by z.config: the process may be somebody else's, and use zod itself.
const { localeError } = z.locales.en();

const MAX_ERRORS = 20;

/**
 * Reads `input` as `schema`.
 * @throws {InvalidRequestError} `invalid_request` or the code of a field's own, with what is wrong with each field
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: localeError });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw new InvalidRequestError(fieldErrors(issues), { code: issues.map(codeOf).find(Boolean) });
}

/** Where a body parser left what it read; undefined if it read nothing. */
export interface WithBody {
  readonly body?: unknown;
}

/** As `parse`, for a JSON body. No body at all reads as `{}`; one of another type is refused. */
export function parseBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  req: IncomingMessage & WithBody,
): z.output<Schema> {
  const { body } = req;
  if (body === undefined && hasBody(req)) {
    throw new ApiError(415, 'not_json', 'The body must be JSON, sent with Content-Type: application/json');
  }
  return parse(schema, body ?? {});
}

export function fieldErrors(issues: readonly z.core.$ZodIssue[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues.slice(0, MAX_ERRORS)) {
    const field = path.map(String).join('.');
    (errors[field] ??= []).push(message);
  }
  return errors;
}

/** A code that a schema gives an issue of its own. */
type FieldErrorCode = 'unsupported_field';

function codeOf(issue: z.core.$ZodIssue): FieldErrorCode | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return code === UNSUPPORTED_FIELD ? UNSUPPORTED_FIELD : undefined;
}

function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
