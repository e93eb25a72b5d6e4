const BURST = 60;
const PER_SECOND = 20;
/** After this many refusals in a row the client ignores them, and its connection is closed. */
const MAX_REFUSALS = 200;

/**
 * The rate limit for the commands of one websocket. Clients send a few commands in a session; a page that switches
 * layers very often sends about ten a second.
 */
export class CommandRateLimit {
  #left = BURST;
  #updatedAt: number;
  #refused = 0;

  /** @param now milliseconds */
  constructor(now: number) {
    this.#updatedAt = now;
  }

  /** Counts one command. @param now milliseconds */
  take(now: number): 'granted' | 'refused' | 'exhausted' {
    this.#left = Math.min(BURST, this.#left + ((now - this.#updatedAt) / 1000) * PER_SECOND);
    this.#updatedAt = now;
    if (this.#left >= 1) {
      this.#left -= 1;
      this.#refused = 0;
      return 'granted';
    }
    this.#refused += 1;
    return this.#refused > MAX_REFUSALS ? 'exhausted' : 'refused';
  }
}
