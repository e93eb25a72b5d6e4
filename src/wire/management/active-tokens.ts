import * as z from 'zod/mini';
import { streamId } from '../stream-id.js';

/** Query of `GET /api/publish_token/active`: a stream as `accountId/streamName`. */
export const activeTokensQuery = z.strictObject({
  streamId,
});

/** The publish tokens that are in use now. */
export const activeTokens = z.object({ tokenIds: z.array(z.int()) });

export type ActiveTokens = z.infer<typeof activeTokens>;
