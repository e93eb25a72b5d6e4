export interface RecentMissesLimits {
  /** How many are remembered: of more, the oldest are forgotten. */
  readonly most: number;
  readonly keptMs: number;
}

/**
 * Remembers for a short time what the database was asked for and does not have, so that asking again costs nothing.
 * Keys are hashes: no value that somebody presented is kept.
 */
export class RecentMisses {
  readonly #limits: RecentMissesLimits;
  readonly #now: () => number;
  /** When each ends. All are kept equally long, so they are in order of their end. */
  readonly #ends = new Map<string, number>();

  /** @param now milliseconds of a clock that never goes back */
  constructor(limits: RecentMissesLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  add(key: string): void {
    const now = this.#now();
    for (const [oldest, end] of this.#ends) {
      if (end > now && this.#ends.size < this.#limits.most) break;
      this.#ends.delete(oldest);
    }
    this.#ends.delete(key);
    this.#ends.set(key, now + this.#limits.keptMs);
  }

  has(key: string): boolean {
    const end = this.#ends.get(key);
    return end !== undefined && end > this.#now();
  }
}
