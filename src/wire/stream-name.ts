import * as z from 'zod/mini';

/** A stream's name: 1 to 128 characters, case-sensitive, unique in its account. `/` and spaces are allowed. */
export const streamName = z.string().check(z.minLength(1), z.maxLength(128));

export type StreamName = z.infer<typeof streamName>;
