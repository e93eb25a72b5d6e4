export interface LookupQueueLimits {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

/** Too many look-ups are waiting already. */
export class LookupQueueFullError extends Error {
  override name = 'LookupQueueFullError';
}

interface WaitingLookup {
  readonly lookup: () => Promise<void>;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs database look-ups, a few at a time, so that a flood of them leaves connections for other calls. Calls with the
 * same key share a look-up that has not begun. They never share one that runs: it may have read the row before the
 * change that the later call asks about.
 */
export class LookupQueue<Key> {
  readonly #limits: LookupQueueLimits;
  readonly #waiting = new Map<Key, WaitingLookup>();
  #running = 0;

  constructor(limits: LookupQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves when `lookup`, or another look-up with the same key that began after this call, has succeeded.
   * @throws {LookupQueueFullError}
   */
  async run(key: Key, lookup: () => Promise<void>): Promise<void> {
    const shared = this.#waiting.get(key);
    if (shared) return await shared.done;
    if (this.#running < this.#limits.maxRunning) return await this.#begin(lookup);
    if (this.#waiting.size >= this.#limits.maxWaiting) throw new LookupQueueFullError('too many look-ups are waiting');

    const { promise, resolve, reject } = withResolvers();
    this.#waiting.set(key, { lookup, done: promise, resolve, reject });
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
    const [next] = this.#waiting;
    if (!next) return;
    const [key, { lookup, resolve, reject }] = next;
    this.#waiting.delete(key);
    this.#begin(lookup).then(resolve, reject);
  }

  #rejectWaiting(error: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** `Promise.withResolvers`, which Node.js 20 does not have. */
function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const promise = new Promise<void>((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  return { promise, resolve, reject };
}
