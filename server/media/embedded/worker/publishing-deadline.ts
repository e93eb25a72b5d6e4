import { monotonicNow } from '../../../monotonic-now.js';

/** When what publishers send is dropped; see `MediaEngine.publishUntil`. Checked with every packet. */
export class PublishingDeadline {
  #at = Infinity;

  /** By the clock of `performance.now()`. */
  get at(): number {
    return this.#at;
  }

  /** @param time by the clock of `monotonicNow` */
  set(time: number): void {
    // In this order: a pause of the process between the two makes the deadline earlier, and never later.
    const now = performance.now();
    this.#at = now + (time - monotonicNow());
  }
}
