import * as z from 'zod/mini';

/**
 * Any text that can be stored. PostgreSQL refuses NUL. Half a surrogate pair is not a character: in UTF-8, two
 * different texts would become equal.
 */
export const text = z.string().check(z.regex(/^[^\0\p{Cs}]*$/u, 'must not contain NUL or half a surrogate pair'));

/** A key or a token, which people paste: white space around it is no part of it. */
export const pasted = text.check(z.trim());

/** Text without control characters, such as line breaks. */
export const plainText = z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters'));

/**
 * A name or a label, of 0 to `most` characters. People see no difference between the spellings of a character in
 * Unicode, and keyboards and file systems differ in theirs: so all names are compared in one spelling, NFC. It is not
 * made of a much longer text, because 32,000 accents take seconds.
 */
export const label = (most: number) =>
  plainText.check(z.maxLength(4 * most, { abort: true }), z.normalize('NFC'), z.maxLength(most));

/** As `label`, and not empty. */
export const name = (most: number) => label(most).check(z.minLength(1));

/** Text of several lines: no control characters except line breaks and tabs. */
export const multilineText = z
  .string()
  .check(z.regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, 'must not contain control characters, except line breaks'));

/** The form of account ids. No slash: it ends the account in a stream id. */
export const ACCOUNT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of an account, in URLs and in stream ids (`ACCOUNT/STREAM`). Every id that comes from outside is one. */
export const accountId = z
  .string()
  .check(z.regex(ACCOUNT_ID, 'must be 1 to 64 letters, digits, hyphens or underscores'));

/** The name of a stream: 1 to 128 characters, case-sensitive, unique in its account. `/` and spaces are allowed. */
export const streamName = name(128);

export type StreamName = z.infer<typeof streamName>;

/** The id of one of several sources of a stream: 1 to 128 visible characters and spaces. */
export const sourceId = z
  .string()
  .check(z.maxLength(512, { abort: true }), z.normalize('NFC'), z.regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u));
