import * as z from 'zod/mini';
import { sourceId, text } from './text.js';

/** Body of `POST /api/hls/ACCOUNT/NAME`, and the data of the websocket command `rewind`, which has no token. */
export const rewindRequest = z.object({
  /** The token, if it is not in a header. A page of another origin then needs no preflight. */
  token: z.optional(text),
  /** Null: the main source. Absent: the main source, or else any. */
  sourceId: z.optional(z.nullable(sourceId)),
});

/** Where a viewer can go back, in the answer of both. */
export const rewindBody = z.object({
  /** Of the playlist (HLS), on this server, from the root. It contains the right of this viewer: do not publish it. */
  path: z.string(),
  /** ISO 8601, UTC. */
  startedOn: z.string(),
  /** Whether the recording goes on. */
  isLive: z.boolean(),
  /** The duration of what the playlist lists now. */
  seconds: z.number(),
});

export type RewindBody = z.infer<typeof rewindBody>;
