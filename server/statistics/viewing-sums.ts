import type { ReportedGrowth } from '../oversight/viewing-quality.js';

export const SLOT_MS = 300_000;
export const SLOTS_PER_HOUR = 12;

/** The number of the five minutes since 1970 (UTC) that contain a time in milliseconds. */
export function slotOf(time: number): number {
  return Math.floor(time / SLOT_MS);
}

/** The upper limits of the classes of times to the first picture, in milliseconds. The last class has none. */
export const FIRST_PICTURE_LIMITS_MS = [100, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000] as const;

/** What viewers reported: sums that can be added to others. */
export interface ViewingSums {
  readonly playedMs: number;
  readonly frozenMs: number;
  readonly freezes: number;
  readonly packets: number;
  readonly lost: number;
  /** The sum of all reported round-trip times, and their number. */
  readonly roundTripMs: number;
  readonly roundTrips: number;
  /** The sum of all reported heights of the picture, and their number. */
  readonly height: number;
  readonly heights: number;
  /** How many first pictures came within each limit, and later than all of them. */
  readonly firstPictures: readonly number[];
}

export const NO_SUMS: ViewingSums = Object.freeze({
  playedMs: 0,
  frozenMs: 0,
  freezes: 0,
  packets: 0,
  lost: 0,
  roundTripMs: 0,
  roundTrips: 0,
  height: 0,
  heights: 0,
  firstPictures: Array.from({ length: FIRST_PICTURE_LIMITS_MS.length + 1 }, () => 0),
});

/** One report, as far as it is counted. */
export interface CountedReport extends ReportedGrowth {
  readonly height: number | undefined;
  readonly roundTripMs: number | undefined;
  /** Only in the first report that says it. */
  readonly firstPictureMs: number | undefined;
}

export function sumsOfReport(report: CountedReport): ViewingSums {
  const { playedMs, frozenMs, freezes, packets, lost, height, roundTripMs, firstPictureMs } = report;
  return {
    playedMs,
    frozenMs,
    freezes,
    packets,
    lost,
    roundTripMs: Math.round(roundTripMs ?? 0),
    roundTrips: roundTripMs === undefined ? 0 : 1,
    height: Math.round(height ?? 0),
    heights: height === undefined ? 0 : 1,
    firstPictures:
      firstPictureMs === undefined ? NO_SUMS.firstPictures : NO_SUMS.firstPictures.with(classOf(firstPictureMs), 1),
  };
}

function classOf(firstPictureMs: number): number {
  const found = FIRST_PICTURE_LIMITS_MS.findIndex((limit) => firstPictureMs <= limit);
  return found < 0 ? FIRST_PICTURE_LIMITS_MS.length : found;
}

export function addSums(one: ViewingSums, other: ViewingSums): ViewingSums {
  return {
    playedMs: one.playedMs + other.playedMs,
    frozenMs: one.frozenMs + other.frozenMs,
    freezes: one.freezes + other.freezes,
    packets: one.packets + other.packets,
    lost: one.lost + other.lost,
    roundTripMs: one.roundTripMs + other.roundTripMs,
    roundTrips: one.roundTrips + other.roundTrips,
    height: one.height + other.height,
    heights: one.heights + other.heights,
    firstPictures: one.firstPictures.map((count, index) => count + other.firstPictures[index]!),
  };
}

/**
 * The time within which a part of all first pictures came, between two limits as if they were spread evenly.
 * @param part 0 to 1
 * @returns milliseconds; of the last class its lower limit. Undefined: there were none.
 */
export function firstPictureQuantile(counts: readonly number[], part: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let left = total * part;
  for (const [index, count] of counts.entries()) {
    if (left <= count && count > 0) {
      const from = FIRST_PICTURE_LIMITS_MS[index - 1] ?? 0;
      const to = FIRST_PICTURE_LIMITS_MS[index] ?? from;
      return from + (to - from) * (left / count);
    }
    left -= count;
  }
  return FIRST_PICTURE_LIMITS_MS.at(-1);
}

/** The five minutes of a stream with their viewers. */
export interface ViewingSlot extends ViewingSums {
  /** The number of the five minutes since 1970. */
  readonly slot: number;
  /** How many viewers reported, and how many of them saw the picture freeze. */
  readonly viewers: number;
  readonly frozenViewers: number;
  /** Whether a server with viewers was overloaded at some time. */
  readonly isOverloaded: boolean;
}

/** The sums of one run of a server. */
export interface StoredViewingSlot extends ViewingSlot {
  readonly accountId: string;
  readonly streamName: string;
}

/** Why a picture froze, as far as the reports tell. */
export type FreezeCause = 'server_load' | 'broadcast' | 'server_network' | 'viewer_network' | 'viewer_device';

/** From this part of lost packets on, the loss explains a freeze. */
const MUCH_LOSS = 0.01;

/**
 * The likely cause of the freezes of a slot. Packets that many viewers miss were lost at the server, those that few
 * miss on their own way. Freezes without loss come from the broadcast if most viewers had them, else from the devices. A
 * server that is overloaded loses packets and sends less itself: nothing is to be said of the others then.
 */
export function freezeCause({ viewers, frozenViewers, packets, lost, isOverloaded }: ViewingSlot): FreezeCause {
  if (isOverloaded) return 'server_load';
  const isLossy = lost > (packets + lost) * MUCH_LOSS;
  const hadMost = frozenViewers * 2 >= viewers;
  if (isLossy) return hadMost && viewers >= 3 ? 'server_network' : 'viewer_network';
  return hadMost ? 'broadcast' : 'viewer_device';
}
