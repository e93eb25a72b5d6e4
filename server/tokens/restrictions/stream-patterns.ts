import { RE2JS, RE2JSException } from 're2js';
import type { StreamRule } from '../../../src/wire/management/token.js';
import { InvalidRequestError } from '../../errors.js';
import { weakMemoize } from './weak-memoize.js';

/**
 * Program instructions, of one token's patterns together. Matching costs about a microsecond an instruction at worst,
 * and the caller of the director waits for it.
 */
const MAX_PROGRAM_SIZE = 5_000;

type Rules = readonly Readonly<StreamRule>[];

/**
 * Refuses patterns that could not be matched.
 * @throws {InvalidRequestError} `invalid_pattern`, with what RE2 says of it, under the field's path
 */
export function checkPatterns(field: string, streams: Rules): void {
  let size = 0;
  for (const [index, { streamName, isRegex }] of streams.entries()) {
    if (!isRegex) continue;
    const path = `${field}.${index}.streamName`;
    size += compile(path, streamName).programSize();
    if (size > MAX_PROGRAM_SIZE) throw invalidPattern(path, 'the patterns of this token are too complex together');
  }
}

/** A test for "is this stream one of them": exact names by look-up, patterns from end to end of the name. */
export function streamMatcher(streams: Rules): (streamName: string) => boolean {
  const [first] = streams;
  // Most tokens are for one stream, and there may be a million of them: no set for each.
  if (streams.length === 1 && first && !first.isRegex) return (streamName) => streamName === first.streamName;

  const names = new Set(streams.filter((rule) => !rule.isRegex).map((rule) => rule.streamName));
  const patterns = streams.filter((rule) => rule.isRegex).map((rule) => patternOf(rule.streamName));
  if (patterns.length === 0) return (streamName) => names.has(streamName);
  return (streamName) => names.has(streamName) || patterns.some((pattern) => pattern.matches(streamName));
}

function compile(path: string, pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) throw invalidPattern(path, error.message, error);
    throw error;
  }
}

/** Patterns were checked when saved. One that this version of RE2 takes no longer permits nothing. */
const patternOf = weakMemoize((pattern): Pick<RE2JS, 'matches'> => {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return { matches: () => false };
  }
});

function invalidPattern(path: string, message: string, cause?: unknown): InvalidRequestError {
  return new InvalidRequestError({ [path]: [message] }, { code: 'invalid_pattern', cause });
}
