/** Until it is measured. A receiver of libwebrtc that does not know it either asks again after this time (`NackRequester`). */
const UNKNOWN_ROUND_TRIP_MS = 100;
/** A longer one was measured while the path was interrupted. */
const MAX_ROUND_TRIP_MS = 1_000;

/**
 * When packets were resent to one receiver, so that none is resent while it is still under way. A receiver that does not
 * know the round-trip time asks again too early when packets wait in the queue of its link. Each answer would make that
 * queue longer, until the link carries hardly anything else.
 */
export class ResendHistory {
  /** By extended sequence number, oldest first. */
  readonly #resentAt = new Map<number, number>();

  add(sequence: number, now: number): void {
    for (const [oldest, at] of this.#resentAt) {
      if (now - at < MAX_ROUND_TRIP_MS) break;
      this.#resentAt.delete(oldest);
    }
    this.#resentAt.delete(sequence);
    this.#resentAt.set(sequence, now);
  }

  /** Whether a request that comes now was sent before the resent packet could arrive. */
  isUnderWay(sequence: number, now: number, roundTripMs = UNKNOWN_ROUND_TRIP_MS): boolean {
    const at = this.#resentAt.get(sequence);
    return at !== undefined && now - at < Math.min(roundTripMs, MAX_ROUND_TRIP_MS);
  }
}
