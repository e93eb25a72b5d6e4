/** A sample counts for this long: paths can get longer. */
const WINDOW_MS = 5_000;

/** The shortest round-trip time of the last seconds. The shortest, because a peer may delay its answers. */
export class RoundTripTime {
  #shortest = Infinity;
  #previousShortest = Infinity;
  #since = -Infinity;

  /** In ms. `undefined`: there is no sample yet. */
  get shortest(): number | undefined {
    const shortest = Math.min(this.#shortest, this.#previousShortest);
    return shortest === Infinity ? undefined : shortest;
  }

  addSample(ms: number, now: number): void {
    if (now - this.#since > WINDOW_MS) {
      this.#previousShortest = this.#shortest;
      this.#shortest = ms;
      this.#since = now;
    }
    this.#shortest = Math.min(this.#shortest, ms);
  }
}
