/** A keyframe is expensive for the encoder, and a burst of data for every viewer. */
const MIN_INTERVAL_MS = 500;

/** Throttles keyframe requests: the first is due at once, and requests repeat until a keyframe arrives. */
export class KeyframeRequests {
  #wanted = false;
  #sentAt = -Infinity;

  request(): void {
    this.#wanted = true;
  }

  /** A keyframe arrived. */
  onKeyframe(): void {
    this.#wanted = false;
  }

  /** Whether to send a request now. Counts as sent when it returns true. */
  isDue(now: number): boolean {
    if (!this.#wanted || now - this.#sentAt < MIN_INTERVAL_MS) return false;
    this.#sentAt = now;
    return true;
  }
}
