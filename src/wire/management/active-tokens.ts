import * as z from 'zod/mini';
import { plainText } from '../text.js';

/** Which stream, as `accountId/streamName`. */
export const activeTokensQuery = z.strictObject({
  streamId: plainText.check(z.maxLength(300), z.regex(/^[^/]+\/[^]+$/, 'must be like accountId/streamName')),
});

/** The publish tokens that broadcasts are under way with. */
export const activeTokens = z.object({ tokenIds: z.array(z.int()) });

export type ActiveTokens = z.infer<typeof activeTokens>;
