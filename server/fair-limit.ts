interface Turn {
  readonly key: string;
  readonly begin: () => void;
}

/**
 * Runs work of many owners, only so much at once. Of an owner at most a part runs, and those who wait have their turns
 * one after the other: an owner whose work takes long, or who has much of it, delays mostly their own.
 */
export class FairLimit {
  readonly #atOnce: number;
  readonly #ofOne: number;
  /** How much runs, by owner. */
  readonly #running = new Map<string, number>();
  /** What waits, by owner, in the order of their next turns. */
  readonly #waiting = new Map<string, Turn[]>();
  #count = 0;
  #waitingCount = 0;

  /** @param ofOne how much of one owner runs at once, at most `atOnce` */
  constructor({ atOnce, ofOne }: { readonly atOnce: number; readonly ofOne: number }) {
    this.#atOnce = atOnce;
    this.#ofOne = ofOne;
  }

  /** How much waits for its turn. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /** Resolves and rejects as `work`. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const { promise: turn, resolve: begin } = Promise.withResolvers<void>();
    const ofKey = this.#waiting.get(key);
    if (ofKey) ofKey.push({ key, begin });
    else this.#waiting.set(key, [{ key, begin }]);
    this.#waitingCount += 1;
    this.#beginAll();
    await turn;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      const running = this.#running.get(key)! - 1;
      if (running > 0) this.#running.set(key, running);
      else this.#running.delete(key);
      this.#beginAll();
    }
  }

  #beginAll(): void {
    while (this.#count < this.#atOnce) {
      const next = this.#next();
      if (!next) return;
      this.#waitingCount -= 1;
      this.#count += 1;
      this.#running.set(next.key, (this.#running.get(next.key) ?? 0) + 1);
      next.begin();
    }
  }

  /** The first turn of the first owner who may have one more. That owner is the last then. */
  #next(): Turn | undefined {
    for (const [key, turns] of this.#waiting) {
      if ((this.#running.get(key) ?? 0) >= this.#ofOne) continue;
      const turn = turns.shift();
      this.#waiting.delete(key);
      if (turns.length > 0) this.#waiting.set(key, turns);
      return turn;
    }
    return undefined;
  }
}
