import * as z from 'zod/mini';

/** Data of `active` (wire-facts 3.3): media of a publisher flows. A server that names no tracks has both. */
export const activeEvent = z.looseObject({
  tracks: z.optional(z.array(z.looseObject({ media: z.enum(['audio', 'video']) }))),
});

/** Data of `viewercount`. */
export const viewerCountEvent = z.looseObject({ viewercount: z.number() });

/** Data of `stopped`: the server ended a session that it had admitted. `code` is a stop reason or a reason. */
export const stoppedEvent = z.looseObject({
  code: z.optional(z.string()),
  message: z.optional(z.string()),
});
