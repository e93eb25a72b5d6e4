import * as z from 'zod/mini';
import { tokenRecord } from './token.js';

/** The most tokens of one import. */
export const MAX_IMPORTED_TOKENS = 1_000;
/** The largest file, in bytes. */
export const MAX_IMPORT_BYTES = 1_000_000;

/** The query of `POST /api/publish_token/import` and `POST /api/subscribe_token/import`. */
export const importQuery = z.strictObject({
  /** Only checks the file. */
  dryRun: z._default(z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }), false),
});

export const tokenImport = z.object({
  /** How many tokens the file describes. */
  count: z.int(),
  /** What was created, in the order of the file. Empty after a dry run. */
  tokens: z.array(tokenRecord),
});

export type TokenImport = z.infer<typeof tokenImport>;
