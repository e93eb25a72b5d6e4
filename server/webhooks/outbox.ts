import { ApiError } from '../errors.js';
import { attempt } from '../faults/contain.js';
import { after } from '../faults/timers.js';
import type { Occurrence } from './occurrence.js';
import type { DeliveryStore } from './webhook-store.js';

/** What waits while the database does not answer. */
export const MOST_WAITING = 10_000;
const RETRY_AFTER_MS = 1_000;
const WRITTEN_AT_ONCE = 100;

export interface OutboxOptions {
  readonly store: Pick<DeliveryStore, 'write'>;
  /** Whether an event that waited for the database must not be told any more. It may throw what `write` does. */
  readonly isOutdated?: (occurrence: Occurrence) => Promise<boolean>;
  /** Events are written. */
  readonly onWritten: () => void;
  /** So many events were lost. The error: why, if it is not their number. */
  readonly onDropped: (count: number, error?: unknown) => void;
}

/**
 * Writes what happens in memory to the database, at once and in the order in which it happened. Nobody waits for it:
 * while the database is unavailable, events wait here.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: Occurrence[] = [];
  /** The database did not answer, and something waits since then. */
  #isLate = false;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The number of events that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Never throws and never waits. */
  add(...occurrences: readonly Occurrence[]): void {
    const room = Math.max(0, MOST_WAITING - this.#waiting.length);
    this.#waiting.push(...occurrences.slice(0, room));
    if (occurrences.length > room) this.#options.onDropped(occurrences.length - room);
    if (!this.#timer) attempt('webhooks', () => this.flush());
  }

  /** Resolves when what was added is written, or the database is unavailable. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // What is being written now may not include the newest.
    await this.#writing;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#options.onDropped(this.#waiting.length);
  }

  async #writeAll(): Promise<void> {
    const { store, onWritten, onDropped } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, WRITTEN_AT_ONCE);
      try {
        await store.write(this.#isLate ? await this.#currentOf(batch) : batch);
        onWritten();
      } catch (error) {
        if (error instanceof ApiError) {
          this.#isLate = true;
          this.#timer ??= after('webhooks', RETRY_AFTER_MS, () => this.flush()).unref();
          return;
        }
        onDropped(batch.length, error);
      }
      this.#waiting.splice(0, batch.length);
    }
    this.#isLate = false;
  }

  async #currentOf(batch: readonly Occurrence[]): Promise<readonly Occurrence[]> {
    const { isOutdated = async () => false } = this.#options;
    const current: Occurrence[] = [];
    for (const occurrence of batch) if (!(await isOutdated(occurrence))) current.push(occurrence);
    return current;
  }
}
