/** So often a transcoder is started without a pause. */
const STARTS = 5;
/** After so much time of the encoder's clock one more start is allowed. */
const ANOTHER_AFTER_MS = 60_000;

/** Limits how often a transcoder that ends is started again: one that always fails must not be started without end. */
export class RestartBudget {
  #left = STARTS;
  #countedAt: number | undefined;

  /** @param timestampMs of the media @returns false: not now */
  take(timestampMs: number): boolean {
    const since = (this.#countedAt ??= timestampMs);
    const earned = Math.max(0, Math.floor((timestampMs - since) / ANOTHER_AFTER_MS));
    this.#left = Math.min(STARTS, this.#left + earned);
    this.#countedAt = since + earned * ANOTHER_AFTER_MS;
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }
}
