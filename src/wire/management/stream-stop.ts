import * as z from 'zod/mini';
import { streamId } from '../stream-id.js';

/** Body of `POST /api/stream/stop`: a stream as `account/name`. */
export const streamStop = z.strictObject({
  streamId,
});

/** What was stopped: one stream, all streams of the account, or none, because none was live. */
export const stoppingLevel = z.enum(['Stream', 'Account', 'None']);

/** Answer of `POST /api/stream/stop` and `POST /api/stream/stop/all`. */
export const streamStopped = z.object({
  status: z.literal('success'),
  data: z.object({ stoppingLevel }),
});

export type StreamStop = z.infer<typeof streamStop>;
export type StoppingLevel = z.infer<typeof stoppingLevel>;
