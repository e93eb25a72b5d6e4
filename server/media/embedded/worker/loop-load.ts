import { performance, type EventLoopUtilization } from 'node:perf_hooks';

/** A shorter time says little: a frame to many viewers takes some tens of ms. */
const BUSY_OVER_MS = 300;

/** How busy the event loop is, and how long packets wait for it. */
export class LoopLoad {
  #since = 0;
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #busy = 0;
  #longestDelay = 0;

  /** The part of the last tenths of a second in which the event loop was busy, 0 to 1. */
  get busy(): number {
    return this.#busy;
  }

  /** Call when work begins after an idle time, and when the last work ends. */
  start(now: number): void {
    this.#before = performance.eventLoopUtilization();
    this.#since = now;
    this.#busy = 0;
  }

  /** Call every few tens of ms. @param delay the longest time that packets of this turn can have waited, in ms */
  addSample(delay: number, now: number): void {
    this.#longestDelay = Math.max(this.#longestDelay, delay);
    if (now - this.#since < BUSY_OVER_MS) return;
    const current = performance.eventLoopUtilization();
    this.#busy = performance.eventLoopUtilization(current, this.#before).utilization;
    this.#before = current;
    this.#since = now;
  }

  /** The longest delay since the last call. */
  takeLongestDelay(): number {
    const longest = this.#longestDelay;
    this.#longestDelay = 0;
    return longest;
  }
}
