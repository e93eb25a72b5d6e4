export interface LookupQueueLimits {
  /** How many run together. */
  readonly atOnce: number;
  /** How many may wait behind those. */
  readonly mostWaiting: number;
}

/** Too many look-ups wait already. */
export class LookupQueueFullError extends Error {
  override name = 'LookupQueueFullError';
}

interface WaitingLookup {
  readonly look: () => Promise<void>;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs look-ups in the database, a few at a time, so that a flood of them leaves connections for everybody else.
 * Look-ups with the same key share one that has not begun. One that runs is never shared: it may have read before the
 * change that the next caller is asking about.
 */
export class LookupQueue<Key> {
  readonly #limits: LookupQueueLimits;
  readonly #waiting = new Map<Key, WaitingLookup>();
  #running = 0;

  constructor(limits: LookupQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves when `look`, or another look-up with the same key that began after this call, has succeeded.
   * @throws {LookupQueueFullError}
   */
  async run(key: Key, look: () => Promise<void>): Promise<void> {
    const shared = this.#waiting.get(key);
    if (shared) return await shared.done;
    if (this.#running < this.#limits.atOnce) return await this.#begin(look);
    if (this.#waiting.size >= this.#limits.mostWaiting) throw new LookupQueueFullError('too many look-ups wait');

    const { promise, resolve, reject } = withResolvers();
    this.#waiting.set(key, { look, done: promise, resolve, reject });
    return await promise;
  }

  async #begin(look: () => Promise<void>): Promise<void> {
    this.#running += 1;
    try {
      await look();
    } catch (error) {
      // The database fails. Those that wait would each fail in turn, after a timeout each: they are told now.
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
    const [key, { look, resolve, reject }] = next;
    this.#waiting.delete(key);
    this.#begin(look).then(resolve, reject);
  }

  #rejectWaiting(error: unknown): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve = (): void => {};
  let reject = (_error: unknown): void => {};
  const promise = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  return { promise, resolve, reject };
}
