import * as z from 'zod/mini';

/**
 * Any text that can be kept: PostgreSQL takes no NUL, and half a surrogate pair is no character, so that UTF-8 would
 * turn two different texts into one.
 */
export const text = z.string().check(z.regex(/^[^\0\p{Cs}]*$/u, 'must not contain NUL or half a surrogate pair'));

/** The same without control characters: no line breaks, nothing that is not shown. */
export const plainText = z.string().check(z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters'));
