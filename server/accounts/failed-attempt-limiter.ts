import { ApiError } from '../errors.js';
import { ExpiringMap } from '../expiring-map.js';
import { secretHash } from './secret-value.js';

/** The failures that an address may have in a period. After that, attempts are refused until the period ends. */
export const FAILURES_ALLOWED = 10;
export const FAILURES_SECONDS = 60;
/** The addresses and the wrong secrets that are remembered. A distributed flood fills no more memory. */
const MAX_REMEMBERED = 10_000;
const MAX_REMEMBERED_GOOD = 1_000;
const DAY_MS = 24 * 3_600_000;

export interface Attempt<Found> {
  /**
   * In the form of `bindingAddress`, because an IPv6 client can use every address of its /64. Empty: unknown; all
   * unknown addresses share one count.
   */
  readonly address: string;
  /** The secret or login code that was presented. */
  readonly secret: string;
  /** Looks the secret up in the database. Resolves with undefined for a wrong secret. */
  readonly find: () => Promise<Found | undefined>;
  /** Whether a secret that was found is refused all the same, such as an expired key. It counts as a failure. */
  readonly isRefused?: (found: Found) => boolean;
  /** Counts a wrong secret once, however often it is sent. For cookies, which browsers send by themselves. */
  readonly ignoreRepeats?: boolean;
}

/** A failure, as the other servers on the database count it too. */
export interface FailedAttempt {
  readonly address: string;
  readonly kind: 'look-up' | 'refusal';
}

interface Count {
  failures: number;
}

/**
 * Limits failed attempts with secrets and login codes by address, before the database is asked. It protects the
 * database: secrets have 256 random bits, so guessing cannot succeed at any speed.
 *
 * A secret that failed in the same period is refused without a look-up, so a job with an old secret costs no database
 * query. A secret that was correct today is always looked up, so that its owner is admitted from an address that
 * also sends wrong secrets. It is still refused as soon as it is replaced.
 *
 * The counts are in memory of fixed size, until the server stops. Failures at other servers on the database count as
 * well.
 */
export class FailedAttemptLimiter {
  /** By address: the wrong secrets that were looked up, each counted once. */
  readonly #lookUps: ExpiringMap<Count>;
  /** By address: all refused attempts. */
  readonly #refusals: ExpiringMap<Count>;
  readonly #wrong: ExpiringMap<true>;
  readonly #good: ExpiringMap<true>;
  /** By hash: settles when the first look-up of the secret is done. */
  readonly #firstLookUps = new Map<string, Promise<unknown>>();

  readonly #onFailure: (failed: FailedAttempt) => void;

  /**
   * @param now milliseconds since 1970
   * @param onFailure receives the failures at this server, for the others. Must not throw
   */
  constructor(now: () => number = Date.now, onFailure: (failed: FailedAttempt) => void = () => {}) {
    this.#onFailure = onFailure;
    const period = { capacity: MAX_REMEMBERED, lifeMs: FAILURES_SECONDS * 1_000, now };
    this.#lookUps = new ExpiringMap(period);
    this.#refusals = new ExpiringMap(period);
    this.#wrong = new ExpiringMap(period);
    this.#good = new ExpiringMap({ capacity: MAX_REMEMBERED_GOOD, lifeMs: DAY_MS, now });
  }

  /**
   * @returns what `find` found; undefined for a wrong secret
   * @throws {ApiError} 429 `too_many_attempts`, with Retry-After in seconds
   */
  async lookUp<Found>(attempt: Attempt<Found>): Promise<Found | undefined> {
    const { address, secret, isRefused, ignoreRepeats = false } = attempt;
    const from = address || 'unknown';
    const hash = secretHash(secret);
    // Of concurrent calls with an unknown secret, one looks it up and the others wait for its result.
    while (!this.#good.get(hash) && this.#firstLookUps.has(hash)) await this.#firstLookUps.get(hash);
    if (this.#wrong.get(hash)) {
      if (!ignoreRepeats) this.#countRefusal(from);
      return undefined;
    }
    const found = this.#good.get(hash) ? await this.#find(hash, attempt) : await this.#findUnknown(from, hash, attempt);
    if ((found === undefined || isRefused?.(found)) && !ignoreRepeats) this.#countRefusal(from);
    return found;
  }

  /** A failure at another server. */
  failedElsewhere({ address, kind }: FailedAttempt): void {
    const counts = kind === 'look-up' ? this.#lookUps : this.#refusals;
    const count = counts.get(address) ?? { failures: 0 };
    if (count.failures === 0) counts.set(address, count);
    count.failures = Math.min(FAILURES_ALLOWED, count.failures + 1);
  }

  #countRefusal(address: string): void {
    countFailure(this.#refusals, address);
    this.#onFailure({ address, kind: 'refusal' });
  }

  async #find<Found>(hash: string, { find, isRefused }: Attempt<Found>): Promise<Found | undefined> {
    const found = await find();
    if (found === undefined) {
      this.#good.delete(hash);
      this.#wrong.set(hash, true);
    } else if (isRefused?.(found)) this.#good.delete(hash);
    else this.#good.set(hash, true);
    return found;
  }

  /** Counts a look-up of the address, and takes it back unless the secret is wrong or refused. */
  async #findUnknown<Found>(from: string, hash: string, attempt: Attempt<Found>) {
    const count = countFailure(this.#lookUps, from);
    let counts = false;
    const finding = this.#find(hash, attempt);
    this.#firstLookUps.set(
      hash,
      finding.catch(() => undefined),
    );
    try {
      const found = await finding;
      counts = found === undefined || attempt.isRefused?.(found) === true;
      return found;
    } finally {
      this.#firstLookUps.delete(hash);
      if (counts) this.#onFailure({ address: from, kind: 'look-up' });
      else count.failures -= 1;
    }
  }
}

/** Counts one failure. @throws {ApiError} 429 if the address has no failures left in this period */
function countFailure(counts: ExpiringMap<Count>, from: string): Count {
  const count = counts.get(from) ?? { failures: 0 };
  if (count.failures === 0) counts.set(from, count);
  if (count.failures >= FAILURES_ALLOWED) {
    const seconds = Math.max(1, Math.ceil(counts.remainingMs(from) / 1_000));
    throw new ApiError(
      429,
      'too_many_attempts',
      `Too many failed attempts from this address; try again in ${seconds} s`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }
  count.failures += 1;
  return count;
}
