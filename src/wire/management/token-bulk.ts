import * as z from 'zod/mini';

const id = z.int().check(z.gte(1));

/** The most tokens of one call. */
export const MAX_TOKENS_AT_ONCE = 1_000;

const tokenIds = z.array(id).check(z.minLength(1), z.maxLength(MAX_TOKENS_AT_ONCE));

export const bulkAction = z.enum(['enable', 'disable', 'delete']);

export type BulkAction = z.infer<typeof bulkAction>;

/** Body of `POST /api/publish_token/bulk` and `POST /api/subscribe_token/bulk`. */
export const changeTokens = z.strictObject({ action: bulkAction, tokenIds });

/** What became of one token. A token that is done has no code. */
export const bulkResult = z.object({
  tokenId: id,
  done: z.boolean(),
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});

export type BulkResult = z.infer<typeof bulkResult>;

/** One result for each token, in the order of the request; a repeated id is answered once. */
export const changedTokens = z.object({ results: z.array(bulkResult) });

/** Body of `POST /api/publish_token/open_sessions` and `POST /api/subscribe_token/open_sessions`. */
export const sessionsOfTokens = z.strictObject({ tokenIds });

/** How many broadcasts, or viewers, are connected to this server with these tokens. */
export const openTokenSessions = z.object({ sessions: z.int() });
