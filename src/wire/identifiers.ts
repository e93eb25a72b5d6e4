import * as z from 'zod/mini';
import { plainText } from './text.js';

/** A stream's name: 1 to 128 characters, case-sensitive, unique in its account. `/` and spaces are allowed. */
export const streamName = plainText.check(z.minLength(1), z.maxLength(128));

export type StreamName = z.infer<typeof streamName>;
