/** Values of the last while, as many as there is room for: the oldest make way. */
export class ExpiringMap<Value> {
  readonly #capacity: number;
  readonly #lifeMs: number;
  readonly #now: () => number;
  /** In order of their age. */
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  /** @param now milliseconds since 1970 */
  constructor({ capacity, lifeMs, now }: { capacity: number; lifeMs: number; now: () => number }) {
    this.#capacity = capacity;
    this.#lifeMs = lifeMs;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.until > this.#now() ? entry.value : undefined;
  }

  /** How long it is kept from now on, in ms; 0 when it is not here. */
  remainingMs(key: string): number {
    return Math.max(0, (this.#entries.get(key)?.until ?? 0) - this.#now());
  }

  /** As the newest. */
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
