/** Encoders pay dearly for a keyframe, and everybody watching for its size. */
const ONE_EVERY_MS = 500;

/**
 * When to ask a source for a keyframe: at once, then no more often than the throttle allows, again and again until
 * one came, since requests and keyframes get lost.
 */
export class KeyframeRequests {
  #wanted = false;
  #askedAt = -Infinity;

  request(): void {
    this.#wanted = true;
  }

  /** One came; whoever wants another says so again. */
  onKeyframe(): void {
    this.#wanted = false;
  }

  /** Whether to ask now. Answering yes counts as asked. */
  isDue(now: number): boolean {
    if (!this.#wanted || now - this.#askedAt < ONE_EVERY_MS) return false;
    this.#askedAt = now;
    return true;
  }
}
