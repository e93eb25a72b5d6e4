import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../errors.js';

/** So many failures an address may have in each minute; the next is told to wait until the minute is over. */
export const FAILURES_ALLOWED = 10;
export const FAILURES_SECONDS = 60;

/**
 * Slows down whoever tries secrets or login codes, by address. Only failures count, and only failures are refused: a
 * good secret is looked at first. That gives nothing away, as 256 random bits are not guessed at any speed, and it
 * keeps one job with an old secret from locking out the others behind its address.
 *
 * Each node counts for itself, and forgets when it stops.
 */
export class FailedAttempts {
  readonly #limiter = new RateLimiterMemory({ points: FAILURES_ALLOWED, duration: FAILURES_SECONDS });

  /**
   * Counts one.
   * @param address as `bindingAddress` writes it, since an IPv6 client has a whole /64 to come from. Empty: it could
   *   not be told, and all such share one count
   * @throws {ApiError} 429 `too_many_attempts`, with Retry-After in seconds
   */
  async count(address: string): Promise<void> {
    try {
      await this.#limiter.consume(address || 'unknown');
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const seconds = Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000));
      throw new ApiError(
        429,
        'too_many_attempts',
        `Too many failed attempts from this address; try again in ${seconds} s`,
        { headers: { 'retry-after': String(seconds) } },
      );
    }
  }
}
