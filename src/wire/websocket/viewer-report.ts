import * as z from 'zod/mini';

/** Something that a browser does not report, or that cannot be true, counts as not reported. */
function amount(most: number) {
  const { catch: withDefault } = z;
  return withDefault(z.optional(z.number().check(z.gte(0), z.lte(most))), undefined);
}

const count = amount(1e12);

/**
 * Data of `report`: what the visitor saw. Counts and durations are sums since the session began, so that a lost report
 * loses nothing. The server answers a report only if it has a `transId`.
 */
export const viewerReport = z.object({
  /** From the start of the viewer to the first picture, in milliseconds. */
  first: amount(600_000),
  /** How long the media was played, in milliseconds. */
  played: amount(1e11),
  /** How often the picture froze. */
  freezes: count,
  /** How long it was frozen, in seconds. */
  frozen: amount(1e8),
  /** Of the present picture, in pixels. */
  height: amount(16_384),
  /** At present. */
  framesPerSecond: amount(1_000),
  /** Present round-trip time, in seconds. */
  roundTrip: amount(600),
  /** Packets of audio and video that arrived. */
  packets: count,
  /** Packets of audio and video that were lost. */
  lost: count,
});

export type ViewerReport = z.input<typeof viewerReport>;
