const SAMPLE_MS = 1_000;
/** Weight of the newest sample: overload counts after some seconds, and so does its end. */
const NEWEST_WEIGHT = 0.4;

/**
 * Measures how late the event loop runs, in ms. Received packets wait in an unbounded queue, so overload shows as
 * delay and not as loss.
 */
export class LoadMonitor {
  #sampleStart = 0;
  #delaySum = 0;
  #count = 0;
  #lag = 0;

  get lag(): number {
    return this.#lag;
  }

  /** Call when work begins after an idle time: the load is zero then. */
  start(now: number): void {
    this.#sampleStart = now;
    this.#delaySum = this.#count = this.#lag = 0;
  }

  /** Call every few tens of ms. @param delay the longest time that packets of this turn can have waited, in ms */
  addSample(delay: number, now: number): void {
    this.#delaySum += delay;
    this.#count++;
    if (now - this.#sampleStart < SAMPLE_MS) return;
    this.#lag += (this.#delaySum / this.#count - this.#lag) * NEWEST_WEIGHT;
    this.#delaySum = this.#count = 0;
    this.#sampleStart = now;
  }
}
