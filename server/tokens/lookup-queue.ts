import { FairPlaces } from '../addresses/fair-places.js';

export interface LookupQueueLimits {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

/** Too many look-ups are waiting already, and most are of the caller's network. */
export class LookupQueueFullError extends Error {
  override name = 'LookupQueueFullError';
}

interface WaitingLookup<Key> {
  readonly key: Key;
  readonly lookup: () => Promise<void>;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs database look-ups, a few at a time, so that a flood of them leaves connections for other calls. Calls with the
 * same key share a look-up that has not begun. They never share one that runs: it may have read the row before the
 * change that the later call asks about.
 *
 * When too many wait, the network of callers that has the most is refused. If that is another one than the caller's, its
 * oldest makes room.
 */
export class LookupQueue<Key> {
  readonly #limits: LookupQueueLimits;
  readonly #waiting = new Map<Key, WaitingLookup<Key>>();
  readonly #places: FairPlaces<Key>;
  #running = 0;

  constructor(limits: LookupQueueLimits) {
    this.#limits = limits;
    this.#places = new FairPlaces(limits.maxWaiting);
  }

  /**
   * Resolves when `lookup`, or another look-up with the same key that began after this call, has succeeded.
   * @param from the address of the caller; empty: unknown, as of calls of our own
   * @throws {LookupQueueFullError}
   */
  async run(key: Key, lookup: () => Promise<void>, from = ''): Promise<void> {
    const shared = this.#waiting.get(key);
    if (shared) return await shared.done;
    if (this.#running < this.#limits.maxRunning) return await this.#begin(lookup);
    const isFull = this.#waiting.size >= this.#limits.maxWaiting;
    if (isFull && this.#places.countOf(from) >= this.#places.mostOfOne) throw tooMany();

    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const crowdedOut = this.#places.take(from, key);
    if (crowdedOut !== undefined) this.#take(crowdedOut)?.reject(tooMany());
    this.#waiting.set(key, { key, lookup, done: promise, resolve, reject });
    return await promise;
  }

  async #begin(lookup: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await lookup();
    } catch (error) {
      // The database fails. The waiting look-ups would fail too, each after a timeout of its own: reject them now.
      this.#rejectWaiting(error);
      throw error;
    } finally {
      this.#running -= 1;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    const [next] = this.#waiting.values();
    if (!next) return;
    this.#take(next.key);
    this.#begin(next.lookup).then(next.resolve, next.reject);
  }

  #take(key: Key): WaitingLookup<Key> | undefined {
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    this.#places.release(key);
    return waiting;
  }

  #rejectWaiting(error: unknown): void {
    for (const { key, reject } of Array.from(this.#waiting.values())) {
      this.#take(key);
      reject(error);
    }
  }
}

function tooMany(): LookupQueueFullError {
  return new LookupQueueFullError('too many look-ups are waiting');
}
