import * as z from 'zod/mini';
import { accountId, streamName } from '../text.js';

/**
 * Data of `await`, the first command on a websocket without a grant: a viewer without a token waits for a stream. It is
 * answered when the director may have another answer for them.
 */
export const awaitRequest = z.object({ streamName, streamAccountId: accountId });

export type AwaitRequest = z.infer<typeof awaitRequest>;
