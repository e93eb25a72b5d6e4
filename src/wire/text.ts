import * as z from 'zod/mini';

/**
 * Any text that can be stored. PostgreSQL refuses NUL, and half a surrogate pair is no character: UTF-8 would make two
 * different texts equal.
 */
export const text = z.string().check(z.regex(/^[^\0\p{Cs}]*$/u, 'must not contain NUL or half a surrogate pair'));

/** The same without control characters, such as line breaks. */
export const plainText = z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters'));
