import { sharingNetwork } from '../addresses/fair-places.js';

/** Lateness of the event loop in ms from which callers wait noticeably. */
const LATE_MS = 25;
/** So many calls a network may make in a window at first, and never fewer than one. */
const MOST_CALLS = 64;
const WINDOW_SAMPLES = 10;
/** Of fewer networks, none has more than its share: a crowd behind one address does not disturb others. */
const MIN_NETWORKS = 4;

/** How many calls a network may make in a window, after a sample of the event loop. */
export function nextCallLimit(limit: number, lateMs: number): number {
  return lateMs > LATE_MS ? Math.max(1, limit >> 1) : Math.min(MOST_CALLS, limit * 2);
}

/**
 * Shares what the server process has time for among the networks that ask for sessions. While the event loop is late,
 * those that call often wait, so that a flood from some networks does not delay everybody. While it is in time, nobody
 * is counted.
 */
export class NetworkCalls {
  #limit = MOST_CALLS;
  #samples = 0;
  /** The calls of each network in this window, which ends by `sample`. */
  readonly #calls = new Map<string, number>();

  /** Call it every tenth of a second. @param lateMs how late the event loop was */
  sample(lateMs: number): void {
    this.#limit = nextCallLimit(this.#limit, lateMs);
    this.#samples = (this.#samples + 1) % WINDOW_SAMPLES;
    if (this.#samples === 0) this.#calls.clear();
  }

  /**
   * Counts a call.
   * @param addressOf the canonical address of the caller
   * @returns false if the network has had its share of this window
   */
  take(addressOf: () => string): boolean {
    if (this.#limit === MOST_CALLS) return true;
    const network = sharingNetwork(addressOf());
    const calls = (this.#calls.get(network) ?? 0) + 1;
    this.#calls.set(network, calls);
    return calls <= this.#limit || this.#calls.size < MIN_NETWORKS;
  }
}
