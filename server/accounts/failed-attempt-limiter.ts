import { ApiError } from '../errors.js';
import { ExpiringMap } from '../expiring-map.js';
import { secretHash } from './secret-value.js';

/** So many failures an address may have in each minute; the next is told to wait until the minute is over. */
export const FAILURES_ALLOWED = 10;
export const FAILURES_SECONDS = 60;
/** Of addresses, and of wrong secrets: what a flood from everywhere may fill. */
const REMEMBERED = 10_000;
const REMEMBERED_GOOD = 1_000;
const DAY_MS = 24 * 3_600_000;

export interface Attempt<Found> {
  /**
   * As `bindingAddress` writes it, since an IPv6 client has a whole /64 to come from. Empty: it could not be told, and
   * all such share one count.
   */
  readonly address: string;
  /** What was presented. */
  readonly secret: string;
  /** Asks the database, and finds nothing for a wrong secret. */
  readonly find: () => Promise<Found | undefined>;
  /** A secret that is known to be wrong is no further failure: a cookie, which browsers send by themselves. */
  readonly repeatsAreFree?: boolean;
}

interface Count {
  failures: number;
}

/**
 * Slows down whoever tries secrets or login codes, by address, before the database is asked. A secret that was wrong a
 * moment ago is wrong without asking, so a job with an old secret uses up nothing but its own answers. One that was
 * good today is always looked up, so that the owner gets in from the same address as the one who guesses; it is still
 * refused as soon as it is replaced. Guessing is hopeless at any speed, as secrets have 256 random bits: what is
 * protected is the database.
 *
 * Each node counts for itself, in memory of fixed size, and forgets when it stops.
 */
export class FailedAttemptLimiter {
  /** The secrets that were presented from an address and not found, each once. */
  readonly #lookUps: ExpiringMap<Count>;
  /** All that was refused from an address. */
  readonly #refusals: ExpiringMap<Count>;
  readonly #wrong: ExpiringMap<true>;
  readonly #good: ExpiringMap<true>;
  /** By hash: settled when the first lookup of a secret is over. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  /** @param now milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    const ofMinute = { capacity: REMEMBERED, lifeMs: FAILURES_SECONDS * 1_000, now };
    this.#lookUps = new ExpiringMap(ofMinute);
    this.#refusals = new ExpiringMap(ofMinute);
    this.#wrong = new ExpiringMap(ofMinute);
    this.#good = new ExpiringMap({ capacity: REMEMBERED_GOOD, lifeMs: DAY_MS, now });
  }

  /**
   * @returns what `find` found; undefined for a wrong secret
   * @throws {ApiError} 429 `too_many_attempts`, with Retry-After in seconds
   */
  async lookUp<Found>({ address, secret, find, repeatsAreFree = false }: Attempt<Found>): Promise<Found | undefined> {
    const from = address || 'unknown';
    const hash = secretHash(secret);
    // Of many calls with a secret that nobody knows yet one asks first.
    while (!this.#good.get(hash) && this.#underWay.has(hash)) await this.#underWay.get(hash);
    if (this.#wrong.get(hash)) {
      if (!repeatsAreFree) refuseAbove(this.#refusals, from);
      return undefined;
    }
    const found = this.#good.get(hash) ? await this.#find(hash, find) : await this.#findFirst(from, hash, find);
    if (found === undefined && !repeatsAreFree) refuseAbove(this.#refusals, from);
    return found;
  }

  async #find<Found>(hash: string, find: () => Promise<Found | undefined>): Promise<Found | undefined> {
    const found = await find();
    if (found === undefined) {
      this.#good.delete(hash);
      this.#wrong.set(hash, true);
    } else this.#good.set(hash, true);
    return found;
  }

  /** Takes one of the address's lookups, and gives it back unless the secret is wrong. */
  async #findFirst<Found>(from: string, hash: string, find: () => Promise<Found | undefined>) {
    const taken = refuseAbove(this.#lookUps, from);
    const finding = this.#find(hash, find);
    this.#underWay.set(
      hash,
      finding.catch(() => undefined),
    );
    try {
      return await finding;
    } finally {
      this.#underWay.delete(hash);
      if (!this.#wrong.get(hash)) taken.failures -= 1;
    }
  }
}

/** Counts one more, if there may be one more in this minute. */
function refuseAbove(counts: ExpiringMap<Count>, from: string): Count {
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
