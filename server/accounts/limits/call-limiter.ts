import { ApiError } from '../../errors.js';

const PERIOD_MS = 60_000;

/** Counts the calls of accounts that have a limit, in periods of a minute. */
export class CallLimiter {
  readonly #limitOf: (accountId: string) => number | null;
  readonly #now: () => number;
  readonly #calls = new Map<string, number>();
  #periodEnds = 0;

  /** @param now milliseconds since 1970 */
  constructor(limitOf: (accountId: string) => number | null, now: () => number) {
    this.#limitOf = limitOf;
    this.#now = now;
  }

  /** @throws {ApiError} 429 `too_many_calls`, with Retry-After in seconds */
  count(accountId: string): void {
    const limit = this.#limitOf(accountId);
    if (limit === null) return;
    const now = this.#now();
    // Also after the clock was set back.
    if (now >= this.#periodEnds || now < this.#periodEnds - PERIOD_MS) {
      this.#calls.clear();
      this.#periodEnds = now + PERIOD_MS;
    }
    const calls = this.#calls.get(accountId) ?? 0;
    if (calls >= limit) {
      const seconds = Math.max(1, Math.ceil((this.#periodEnds - now) / 1_000));
      throw new ApiError(
        429,
        'too_many_calls',
        `The account may make ${limit} calls in a minute; try again in ${seconds} s`,
        {
          headers: { 'retry-after': String(seconds) },
        },
      );
    }
    this.#calls.set(accountId, calls + 1);
  }
}
