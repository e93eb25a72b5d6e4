import * as z from 'zod/mini';

/** Tells several sources of one stream apart: 1 to 128 characters that can be seen, spaces within. */
export const sourceId = z.string().check(z.regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u));
