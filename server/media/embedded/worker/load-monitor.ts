const SAMPLE_MS = 1_000;
/** Weight of the newest sample: overload must last some seconds to count, and so must relief. */
const NEWEST = 0.4;

/**
 * How late the event loop runs, in ms: packets wait in a queue before it that has no end, so overload shows as delay
 * and never as loss.
 */
export class LoadMonitor {
  #sampledAt = 0;
  #late = 0;
  #count = 0;
  #lag = 0;

  get lag(): number {
    return this.#lag;
  }

  /** There is something to do from now on; until now there was not, and no load. */
  start(now: number): void {
    this.#sampledAt = now;
    this.#late = this.#count = this.#lag = 0;
  }

  /** To be called every few tens of ms. @param late for how long at most what is handed over now has waited */
  addSample(late: number, now: number): void {
    this.#late += late;
    this.#count++;
    if (now - this.#sampledAt < SAMPLE_MS) return;
    this.#lag += (this.#late / this.#count - this.#lag) * NEWEST;
    this.#late = this.#count = 0;
    this.#sampledAt = now;
  }
}
