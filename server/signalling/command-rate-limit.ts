const BURST = 60;
const PER_SECOND = 20;
/** Who goes on asking after this many refusals in a row does not listen. */
const MOST_REFUSALS = 200;

/**
 * What one websocket may ask for. Clients send a handful of commands in a session; a page that is mad about switching
 * layers some ten a second.
 */
export class CommandRateLimit {
  #left = BURST;
  #at: number;
  #refused = 0;

  /** @param now milliseconds */
  constructor(now: number) {
    this.#at = now;
  }

  /** Takes one. @param now milliseconds */
  take(now: number): 'granted' | 'refused' | 'exhausted' {
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) / 1000) * PER_SECOND);
    this.#at = now;
    if (this.#left >= 1) {
      this.#left -= 1;
      this.#refused = 0;
      return 'granted';
    }
    this.#refused += 1;
    return this.#refused > MOST_REFUSALS ? 'exhausted' : 'refused';
  }
}
