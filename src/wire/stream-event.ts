import * as z from 'zod/mini';

/** Data of `active` (wire-facts 3.3): media of a publisher flows. `media` is `audio` or `video`; without tracks, both. */
export const activeEvent = z.object({
  tracks: z.optional(z.array(z.object({ media: z.string() }))),
});

/** Data of `viewercount`. */
export const viewerCountEvent = z.object({ viewercount: z.number() });

/** Data of `stopped`: the server ended a session that it had admitted. `code` is a stop reason or a reason. */
export const stoppedEvent = z.object({
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});
