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

/** What to hand out of a new token. The link contains the token. */
export const tokenLink = z.looseObject({
  id: z.int(),
  label: z.string(),
  /** Null: the token permits patterns alone, or nothing. */
  streamName: z.nullable(z.string()),
  /** Of the hosted viewer, or the hosted broadcaster. Null: there is no stream name. */
  link: z.nullable(z.string()),
  token: z.string(),
});

export type TokenLink = z.infer<typeof tokenLink>;

export const tokenImport = z.object({
  /** How many tokens the file describes. */
  count: z.int(),
  /** What was created, in the order of the file. Empty after a dry run. */
  tokens: z.array(tokenRecord),
  /** One for each of the first ten stream names of each token. Absent: the server is older. */
  links: z.optional(z.array(tokenLink)),
});

export type TokenImport = z.infer<typeof tokenImport>;
