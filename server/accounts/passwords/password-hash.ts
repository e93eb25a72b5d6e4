import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { FairPlaces } from '../../addresses/fair-places.js';

/** What a hash costs. N=2^17, r=8, p=1 take about half a second and 128 MiB. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export const PASSWORD_COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 };

/** How many hashes are made at once: each takes memory and a thread. */
const AT_ONCE = 2;
/** How many wait. With one more, the network that has the most loses its oldest: one caller must not keep out others. */
const MOST_WAITING = 16;
const BYTES = 32;

/** More passwords wait to be checked than the server works off in time. */
export class HashingBusyError extends Error {
  override name = 'HashingBusyError';
}

/** Hashes passwords by scrypt (RFC 7914). A hash says what it cost, so that the cost can grow. */
export class PasswordHasher {
  readonly #cost: PasswordCost;
  readonly #waiting = new FairPlaces<PromiseWithResolvers<void>>(MOST_WAITING);
  #running = 0;

  constructor(cost: PasswordCost = PASSWORD_COST) {
    this.#cost = cost;
  }

  /** @throws {HashingBusyError} */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return format(this.#cost, salt, await this.#derive(password, salt, this.#cost));
  }

  /** @param from the address of the caller @throws {HashingBusyError} */
  async verify(password: string, stored: string, from = ''): Promise<boolean> {
    const [, N, r, p, salt = '', hash = ''] = stored.split('$');
    const expected = Buffer.from(hash, 'base64url');
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    const actual = await this.#derive(password, Buffer.from(salt, 'base64url'), cost, from);
    return expected.length === BYTES && timingSafeEqual(actual, expected);
  }

  /** A hash that costs the same to verify, and that no password has. */
  decoy(): string {
    return format(this.#cost, randomBytes(16), randomBytes(BYTES));
  }

  async #derive(password: string, salt: Uint8Array, cost: PasswordCost, from = ''): Promise<Buffer> {
    if (this.#running >= AT_ONCE) {
      const turn = Promise.withResolvers<void>();
      this.#waiting.take(from, turn)?.reject(new HashingBusyError());
      await turn.promise;
    } else this.#running += 1;
    try {
      // Different bytes can be the same text: keyboards differ in how they write an accent.
      return await derive(password.normalize('NFC'), salt, { ...cost, maxmem: 256 * cost.N * cost.r });
    } finally {
      const [next] = this.#waiting.holders();
      // The next one takes over the place.
      if (next) {
        this.#waiting.release(next);
        next.resolve();
      } else this.#running -= 1;
    }
  }
}

function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

const HASH = /^scrypt\$\d{1,9}\$\d{1,3}\$\d{1,3}\$[\w-]+\$[\w-]+$/;

/** Whether the text is one that {@link PasswordHasher} made. */
export function isPasswordHash(text: string): boolean {
  return HASH.test(text);
}

function format({ N, r, p }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
