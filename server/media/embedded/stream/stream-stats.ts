import type { StreamStats } from '../../engine/media-figures.js';

export const NO_STATS: StreamStats = {
  live: false,
  viewers: 0,
  packetsIn: 0,
  bytesIn: 0,
  packetsOut: 0,
  keyframes: 0,
  nacksAnswered: 0,
};

/** The statistics of one stream in two workers. */
export function addStats(one: StreamStats, other: StreamStats): StreamStats {
  return {
    live: one.live || other.live,
    viewers: one.viewers + other.viewers,
    packetsIn: one.packetsIn + other.packetsIn,
    bytesIn: one.bytesIn + other.bytesIn,
    packetsOut: one.packetsOut + other.packetsOut,
    keyframes: one.keyframes + other.keyframes,
    nacksAnswered: one.nacksAnswered + other.nacksAnswered,
  };
}
