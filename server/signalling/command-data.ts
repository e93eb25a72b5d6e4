import * as z from 'zod/mini';
import { layerChoice } from '../../src/wire/websocket/layer-choice.js';
import { sourceId } from '../../src/wire/source-id.js';
import { text } from '../../src/wire/text.js';
import { sdp, wantedEvents } from '../../src/wire/websocket/view-request.js';

const source = z.optional(z.nullable(sourceId));

/** A mid, which some clients give as the number that it looks like. */
const mediaId = z.pipe(
  z.union([text.check(z.minLength(1), z.maxLength(16)), z.int()]),
  z.transform((mid: string | number) => String(mid)),
);

/**
 * Data of `publish` (wire-facts 3.2). The stream is the one that the grant names, whatever `name` says. Fields not
 * known here are ignored, as clients of several generations send more of them.
 */
export const publishData = z.object({
  sdp,
  codec: z.optional(z.enum(['h264', 'vp8', 'vp9', 'av1'])),
  sourceId: source,
  /** Read, and without effect: a source that has a broadcaster is not taken over by another, of whatever priority. */
  priority: z.optional(z.nullable(z.int())),
  record: z.optional(z.nullable(z.boolean())),
  events: wantedEvents,
  /** Ours: the client keeps the session key, and comes back with it. */
  resumable: z.optional(z.boolean()),
});

export const selectData = z.object({ layer: z.optional(z.nullable(layerChoice)) });

export const projectData = z.object({
  sourceId: source,
  mapping: z
    .array(
      z.object({
        trackId: z.optional(z.nullable(text.check(z.maxLength(128)))),
        media: z.optional(z.nullable(text.check(z.maxLength(16)))),
        mediaId: z.optional(z.nullable(mediaId)),
        layer: z.optional(z.nullable(layerChoice)),
      }),
    )
    .check(z.minLength(1), z.maxLength(64)),
});

export const unprojectData = z.object({ mediaIds: z.array(mediaId).check(z.maxLength(64)) });

export const renewData = z.object({ sdp });
