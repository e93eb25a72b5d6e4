/** For how long what was measured counts: paths get longer, too. */
const WINDOW_MS = 5_000;

/** How long the way to a peer and back is: the shortest that was measured lately, since answers may wait on it. */
export class RoundTripTime {
  #shortest = Infinity;
  #shortestBefore = Infinity;
  #since = -Infinity;

  /** In ms. `undefined`: none was measured yet. */
  get shortest(): number | undefined {
    const shortest = Math.min(this.#shortest, this.#shortestBefore);
    return shortest === Infinity ? undefined : shortest;
  }

  addSample(ms: number, now: number): void {
    if (now - this.#since > WINDOW_MS) {
      this.#shortestBefore = this.#shortest;
      this.#shortest = ms;
      this.#since = now;
    }
    this.#shortest = Math.min(this.#shortest, ms);
  }
}
