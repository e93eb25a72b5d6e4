/** A map of fixed capacity whose entries expire. When it is full, the oldest entry is dropped. */
export class ExpiringMap<Value> {
  readonly #capacity: number;
  readonly #lifeMs: number;
  readonly #now: () => number;
  /** In order of expiry, because all entries live equally long. */
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  /** @param now the present time in milliseconds, of any clock that does not go back */
  constructor({ capacity, lifeMs, now }: { capacity: number; lifeMs: number; now: () => number }) {
    this.#capacity = capacity;
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.remainingMs(key) > 0;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > this.#now() ? entry.value : undefined;
  }

  /** The time until the entry expires, in ms; 0 if there is none. */
  remainingMs(key: string): number {
    return Math.max(0, (this.#entries.get(key)?.until ?? 0) - this.#now());
  }

  /** Adds or replaces an entry, which then lives for its full time. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#now() + this.#lifeMs });
    for (const [oldest, { until }] of this.#entries) {
      if (this.#entries.size <= this.#capacity && until > this.#now()) return;
      this.#entries.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
