import { RE2JS, RE2JSException } from 're2js';
import type { StreamRule } from '../../../src/wire/management/token.js';
import { InvalidRequestError } from '../../errors.js';
import { weakMemoize } from '../../weak-memoize.js';
import { costOfClasses } from './costly-classes.js';
import { longestProgram } from './longest-program.js';

/**
 * The most program instructions of all patterns of a token together, with the cost of their classes. In the worst case, matching takes about a
 * microsecond for each instruction, and the call to the director waits for it.
 */
const MAX_PROGRAM_SIZE = 5_000;

/** Above `MAX_PROGRAM_SIZE`, because the estimate is above the size. */
const MOST_WRITTEN_OUT = 5 * MAX_PROGRAM_SIZE;

type Rules = readonly Readonly<StreamRule>[];

/**
 * Refuses patterns that cannot be compiled or are too complex.
 * @returns the program instructions of all patterns, and what their classes cost in addition
 * @throws {InvalidRequestError} `invalid_pattern`, with the message of RE2 under the path of the field
 */
export function checkPatterns(field: string, streams: Rules): number {
  let size = 0;
  for (const [index, { streamName, isRegex }] of streams.entries()) {
    if (!isRegex) continue;
    const path = `${field}.${index}.streamName`;
    // Compiling a pattern of 128 characters can take a second: RE2 writes repetitions out, to 100,000 instructions, and
    // looks at each character of a class.
    size += costOfClasses(streamName);
    const isLong = size > MAX_PROGRAM_SIZE || size + longestProgram(streamName) > MOST_WRITTEN_OUT;
    if (!isLong) size += compile(path, streamName).programSize();
    if (isLong || size > MAX_PROGRAM_SIZE)
      throw invalidPattern(
        path,
        'the patterns of this token are too complex together; simplify them or use two tokens',
      );
  }
  return size;
}

/**
 * Compiles the stream rules of a token into a test of stream names in NFC. A pattern must match the whole name. Rules are
 * saved in NFC, but were not by every version.
 */
export function streamMatcher(streams: Rules): (streamName: string) => boolean {
  const [first] = streams;
  // Most tokens name one stream, and there may be a million tokens: a set for each would cost too much memory.
  if (streams.length === 1 && first && !first.isRegex) return equalTo(first.streamName.normalize('NFC'));

  const namesOf = (rules: Rules) => rules.map(({ streamName }) => streamName.normalize('NFC'));
  const names = new Set(namesOf(streams.filter((rule) => !rule.isRegex)));
  const patterns = namesOf(streams.filter((rule) => rule.isRegex)).map(patternOf);
  if (patterns.length === 0) return (streamName) => names.has(streamName);
  return (streamName) => names.has(streamName) || patterns.some((pattern) => pattern.matches(streamName));
}

const equalTo = (name: string) => (streamName: string) => streamName === name;

function compile(path: string, pattern: string): RE2JS {
  try {
    return compiled(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) throw invalidPattern(path, error.message, error);
    throw error;
  }
}

/** A pattern is compiled when it is checked, and used soon after. */
const compiled = weakMemoize((pattern) => RE2JS.compile(pattern));

/** Patterns are checked when they are saved. A pattern that this version of RE2 no longer accepts permits nothing. */
const patternOf = weakMemoize((pattern): Pick<RE2JS, 'matches'> => {
  try {
    return compiled(pattern);
  } catch {
    return { matches: () => false };
  }
});

function invalidPattern(path: string, message: string, cause?: unknown): InvalidRequestError {
  return new InvalidRequestError({ [path]: [message] }, { code: 'invalid_pattern', cause });
}
