/** Steps in a row that changed nothing before it is believed that none would. */
const MOST_FUTILE = 2;
/** Less was sent, if it was less than this part of what was sent before. */
const LESS = 0.92;
/** A fault is still there, if more than this part of it is. */
const STILL = 0.75;

/**
 * Whether sending less helps. A longer path and a radio that loses packets look like congestion, and who answers them
 * by sending less and less ends with nothing.
 */
export class BackoffEffect {
  #before: { readonly bitrate: number; readonly fault: number } | undefined;
  #times = 0;

  /** A step down was made because of a fault: a queue, or a loss. */
  onBackoff(bitrate: number, fault: number): void {
    this.#before = { bitrate, fault };
  }

  /** The fault is there again, or still. True when the last steps were made and it has not become less. */
  isIneffective(bitrate: number, fault: number): boolean {
    const before = this.#before;
    if (before && bitrate < before.bitrate * LESS && fault > before.fault * STILL) this.#times++;
    if (this.#times < MOST_FUTILE) return false;
    this.reset();
    return true;
  }

  /** The fault is gone. */
  reset(): void {
    this.#before = undefined;
    this.#times = 0;
  }
}
