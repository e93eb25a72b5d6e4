import * as z from 'zod/mini';
import { plainText } from '../text.js';
import { tokenListQuery } from './token.js';

/**
 * The query of a list by name: tokens with exactly this label, or for exactly this stream. Patterns are not matched.
 * `filterBy=None` lists every token.
 */
export const tokenNameQuery = z.extend(tokenListQuery, {
  name: plainText.check(z.minLength(1), z.maxLength(128)),
  filterBy: z._default(z.enum(['None', 'TokenName', 'StreamName', 'TokenOrStreamName']), 'TokenOrStreamName'),
});

export type TokenNameQuery = z.infer<typeof tokenNameQuery>;
