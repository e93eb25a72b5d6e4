import type { LayerState } from '../../engine/media-figures.js';
import { bitrateRange } from './layer-selection.js';

/** What the load of this process allows of one viewer's video. */
export interface LoadLimit {
  /** In bit/s. A layer that needs more is sent only if it is the lowest. */
  readonly maxBitrate: number;
  /** Whether video is sent at all. */
  readonly isSent: boolean;
}

export const NO_LOAD_LIMIT: LoadLimit = { maxBitrate: Infinity, isSent: true };
/** Layers are steps: if the lowest needs little more than the share, no viewer has to do without. */
const TOLERANCE = 1.5;
/** A viewer whose video is paused gets it back below this: bitrates vary from second to second. */
const TOLERANCE_TO_RESUME = 1.2;

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * The rank of a viewer of a stream, 0 to 1. The ranks of any number of viewers who come one after the other are spread
 * evenly, so that of ten viewers one has video if one in eight can have it.
 * @param index from 1
 */
export const rankOf = (index: number): number => (index * GOLDEN_RATIO) % 1;

/**
 * The limit with which all viewers together get a share of the video. They get lower layers; where there are none that
 * are low enough, some viewers get no video, so that the others have a picture that moves.
 * @param share 0 to 1
 * @param before the viewer's limit until now
 * @param rank see `rankOf`: the higher, the sooner the viewer gets no video
 */
export function loadLimit(
  before: LoadLimit,
  layers: readonly LayerState[],
  { share, rank }: { readonly share: number; readonly rank: number },
): LoadLimit {
  if (share === 1) return NO_LOAD_LIMIT;
  const { lowest, best } = bitrateRange(layers);
  const maxBitrate = share * best;
  const tolerance = before.isSent ? TOLERANCE : TOLERANCE_TO_RESUME;
  return { maxBitrate, isSent: share > 0 && rank * lowest <= maxBitrate * tolerance };
}
