import * as z from 'zod/mini';

/** Larger than any offer a browser makes with every option of the SDK (8 KB), smaller than the frame limit. */
const sdp = z.string().check(z.minLength(1), z.maxLength(60_000));
const events = z.optional(z.array(z.string()).check(z.maxLength(32)));

/**
 * Data of `publish` (wire-facts 3.2). The stream is the one that the grant names, whatever `name` says. Fields not
 * known here are ignored, as clients of several generations send more of them.
 */
export const publishData = z.object({
  sdp,
  codec: z.optional(z.enum(['h264', 'vp8', 'vp9', 'av1'])),
  events,
});

/** Data of `view` (wire-facts 3.2). */
export const viewData = z.object({ sdp, events });
