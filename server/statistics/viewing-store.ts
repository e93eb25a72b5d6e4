import type { HourRange, StreamPeriod } from './statistics-store.js';
import type { StoredViewingSlot, ViewingSlot, ViewingSums } from './viewing-sums.js';

/** The sums of an hour, or of a day that begins with `hour`. */
export interface ViewingPeriod extends ViewingSums {
  readonly hour: StreamPeriod['hour'];
}

/** Every implementation passes test/server/store/tables/viewing-store.contract.ts. */
export interface ViewingStore {
  /** Replaces what the same run of the server saved of these slots. */
  save(serverId: string, slots: readonly StoredViewingSlot[]): Promise<void>;
  /** By the names of the streams that had reports. */
  streams(accountId: string, range: HourRange, names: readonly string[]): Promise<ReadonlyMap<string, ViewingSums>>;
  /** In order of time. Periods without a report are left out. @param hours 1 or 24 */
  stream(accountId: string, streamName: string, range: HourRange, hours: 1 | 24): Promise<readonly ViewingPeriod[]>;
  /**
   * The five minutes in which the picture was frozen for the largest part of the time.
   * @param leastMs of time played; with less, a single viewer would decide
   * @returns undefined: no picture froze, or nothing is known of the range any more
   */
  worst(accountId: string, streamName: string, range: HourRange, leastMs: number): Promise<ViewingSlot | undefined>;
  /** Deletes the five minutes before this one. Their hours stay. */
  pruneSlots(slot: number): Promise<void>;
}
