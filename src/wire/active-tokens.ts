import * as z from 'zod/mini';

/** Which stream, as `accountId/streamName`. */
export const activeTokensQuery = z.strictObject({
  streamId: z.string().check(z.maxLength(300), z.regex(/^[^/]+\/[^]+$/, 'must be like accountId/streamName')),
});

/** The publish tokens that broadcasts are under way with. */
export const activeTokens = z.object({ tokenIds: z.array(z.int()) });

export type ActiveTokens = z.infer<typeof activeTokens>;
