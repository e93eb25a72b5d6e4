import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { UNSUPPORTED_FIELD } from '../../../src/wire/management/unsupported-field.js';
import { nearestName } from '../../nearest-name.js';
import { ApiError, InvalidRequestError } from '../../errors.js';

// Passed to each call, because z.config changes the whole process, which may run other code that uses zod.
const { localeError } = z.locales.en();

const MAX_ERRORS = 20;
/** Comparing takes time for each letter: no field has a longer name. */
const LONGEST_NAME = 32;

/**
 * Parses `input` with `schema`.
 * @throws {InvalidRequestError} `invalid_request`, or the code of a field that has its own; names each wrong field
 */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: localeError });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw new InvalidRequestError(fieldErrors(issues.map((issue) => withMeant(issue, namesOf(schema)))), {
    code: issues.map(codeOf).find(Boolean),
  });
}

/** The fields of a schema. Of a pipe: what goes into it. */
function namesOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodMiniPipe) return namesOf(schema.def.in);
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}

/** An issue of one field that there is not, with the name that was probably meant. */
function withMeant(issue: z.core.$ZodIssue, names: readonly string[]): z.core.$ZodIssue {
  if (issue.code !== 'unrecognized_keys' || issue.path.length > 0) return issue;
  const [key = '', ...others] = issue.keys;
  if (others.length > 0 || key.length > LONGEST_NAME) return issue;
  const meant = nearestName(key, names, (length) => Math.floor(length / 3));
  return meant === undefined ? issue : { ...issue, message: `${issue.message}. Did you mean: ${meant}?` };
}

/** The value of a wildcard parameter: a stream name may contain slashes, escaped or not. A slash at the end is ignored. */
export function wildcardPath(segments: string | readonly string[] | undefined = []): string {
  if (typeof segments === 'string') return segments;
  return (segments.at(-1) === '' ? segments.slice(0, -1) : segments).join('/');
}

/** A request whose body was parsed. Undefined: there was no body, or one of another type. */
export interface WithBody {
  readonly body?: unknown;
}

/**
 * Parses a JSON body. A request without a body is parsed as `{}`.
 * @throws {InvalidRequestError} as `parse` does
 * @throws {ApiError} 415 `not_json`: the body has another type
 */
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

/**
 * Parses the headers that `schema` names.
 * @throws {InvalidRequestError} as `parse` does
 */
export function parseHeaders<Schema extends z.ZodMiniObject>(schema: Schema, req: IncomingMessage): z.output<Schema> {
  const names = Object.keys(schema.shape);
  return parse(schema, Object.fromEntries(names.map((name) => [name, req.headers[name.toLowerCase()]])));
}

/** The messages of each wrong field, by its path such as `streams.0.streamName`. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { path, message } of issues.slice(0, MAX_ERRORS)) {
    const field = path.map(String).join('.');
    (errors[field] ??= []).push(message);
  }
  return errors;
}

/** An error code that a schema gives to its own issue. */
type FieldErrorCode = 'unsupported_field';

function codeOf(issue: z.core.$ZodIssue): FieldErrorCode | undefined {
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return code === UNSUPPORTED_FIELD ? UNSUPPORTED_FIELD : undefined;
}

export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}
