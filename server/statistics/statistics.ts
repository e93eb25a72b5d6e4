import { LOST_AFTER_MS } from '../oversight/session-record.js';
import { HOUR_MS, hourOf } from './hour-statistics.js';
import type { StatisticsStore } from './statistics-store.js';
import { slotOf } from './viewing-sums.js';
import type { ViewingStore } from './viewing-store.js';

/** How long the sums of an hour are kept: 13 months. */
export const STATISTICS_RETENTION_MS = 396 * 24 * HOUR_MS;
/** Readers get sums that are at most this old. */
const REFRESH_AFTER_MS = 5_000;

export interface StatisticsOptions {
  readonly store: StatisticsStore;
  readonly viewing: ViewingStore;
  /** Writes the sessions that are in memory. */
  readonly flush?: () => Promise<unknown>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Keeps the sums of the sessions by hour, stream and token. An hour is rolled up when somebody reads, and once an hour.
 * Several servers may do it at once.
 */
export class Statistics {
  readonly store: StatisticsStore;
  /** What viewers reported. */
  readonly viewing: ViewingStore;
  readonly #flush: () => Promise<unknown>;
  readonly #now: () => number;
  #refreshing: Promise<number> | undefined;
  #refreshedOn = -Infinity;

  constructor({ store, viewing, flush = async () => {}, now = Date.now }: StatisticsOptions) {
    this.store = store;
    this.viewing = viewing;
    this.#flush = flush;
    this.#now = now;
  }

  /**
   * Rolls up what has changed.
   * @returns the time of the newest sessions in the sums, in milliseconds since 1970
   * @throws {DatabaseUnavailableError}
   */
  async refresh(): Promise<number> {
    if (this.#now() - this.#refreshedOn < REFRESH_AFTER_MS) return this.#refreshedOn;
    this.#refreshing ??= this.#rollUpAll().finally(() => (this.#refreshing = undefined));
    return await this.#refreshing;
  }

  /**
   * Deletes the sums of hours that are older than 13 months, and those of five minutes before `time`.
   * @param time milliseconds since 1970
   */
  async prune(time: number): Promise<void> {
    await this.viewing.pruneSlots(slotOf(time));
    await this.store.prune(hourOf(this.#now() - STATISTICS_RETENTION_MS));
  }

  async #rollUpAll(): Promise<number> {
    const time = this.#now();
    await this.#flush();
    for (const hour of await this.store.hoursToRollUp()) {
      // Until then an open session may still extend into the end of the hour.
      await this.store.rollUp(hour, time - (hour + 1) * HOUR_MS > LOST_AFTER_MS);
    }
    this.#refreshedOn = time;
    return time;
  }
}
