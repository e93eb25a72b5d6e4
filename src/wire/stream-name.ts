import * as z from 'zod/mini';

/** A text without control characters: no NUL, no line breaks, nothing that is not shown. */
export const plainText = z.string().check(z.regex(/^\P{Cc}*$/u, 'must not contain control characters'));

/** A stream's name: 1 to 128 characters, case-sensitive, unique in its account. `/` and spaces are allowed. */
export const streamName = plainText.check(z.minLength(1), z.maxLength(128));

export type StreamName = z.infer<typeof streamName>;
