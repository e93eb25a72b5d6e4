/** A sample counts for this long: paths can get longer. */
const WINDOW_MS = 5_000;

/** The round-trip time: the shortest of the last seconds, because a peer may delay its answers, and the latest. */
export class RoundTripTime {
  #shortest = Infinity;
  #previousShortest = Infinity;
  #since = -Infinity;
  #latest: number | undefined;

  /** In ms. `undefined`: there is no sample yet. */
  get shortest(): number | undefined {
    const shortest = Math.min(this.#shortest, this.#previousShortest);
    return shortest === Infinity ? undefined : shortest;
  }

  /** In ms. It shows the queues of the path. `undefined`: there is no sample yet. */
  get latest(): number | undefined {
    return this.#latest;
  }

  addSample(ms: number, now: number): void {
    if (now - this.#since > WINDOW_MS) {
      this.#previousShortest = this.#shortest;
      this.#shortest = ms;
      this.#since = now;
    }
    this.#shortest = Math.min(this.#shortest, ms);
    this.#latest = ms;
  }
}
