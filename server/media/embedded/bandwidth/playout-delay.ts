const WINDOW_MS = 30_000;
/** Fewer late packets do not justify a delay. */
const MIN_LATE_PACKETS = 3;
/** A player's own buffer absorbs a shorter delay. */
const MIN_DELAY_MS = 40;
const MAX_DELAY_MS = 1_000;
const MARGIN_MS = 40;

/**
 * Estimates how long a player should delay frames so that resent packets arrive in time. A player that only receives
 * does not know the round-trip time, and would freeze at every loss.
 *
 *     estimator.onLatePacket(lateness, now);           // each packet that is resent
 *     extensions.setPlayoutDelay(estimator.at(now));
 */
export class PlayoutDelayEstimator {
  #longest = 0;
  #count = 0;
  #windowStart = -Infinity;
  #previousLongest = 0;

  /** @param lateness in ms, since the packet was missed */
  onLatePacket(lateness: number, now: number): void {
    this.#startWindow(now);
    this.#count++;
    this.#longest = Math.max(this.#longest, lateness);
  }

  /** In ms; 0 if few packets are late, or by little. It falls after a window without late packets. */
  at(now: number): number {
    this.#startWindow(now);
    const longest = Math.max(this.#previousLongest, this.#current());
    return longest < MIN_DELAY_MS ? 0 : Math.min(MAX_DELAY_MS, Math.round(longest + MARGIN_MS));
  }

  #current(): number {
    return this.#count < MIN_LATE_PACKETS ? 0 : this.#longest;
  }

  #startWindow(now: number): void {
    const elapsed = now - this.#windowStart;
    if (elapsed < WINDOW_MS) return;
    this.#previousLongest = elapsed < 2 * WINDOW_MS ? this.#current() : 0;
    this.#longest = this.#count = 0;
    this.#windowStart = now;
  }
}
