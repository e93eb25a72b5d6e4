import { hash } from 'node:crypto';
import type { AdmittingToken } from '../rules/access-request.js';
import { addressMatcher, bindingMatcher } from './address-ranges.js';
import { originMatcher } from './origin-patterns.js';
import { streamMatcher } from './stream-patterns.js';
import type { TokenRecord } from './token-record.js';

/**
 * Every token, in memory and ready to decide by: who asks to publish or to watch never waits for the database.
 * Loaded at start; whoever changes a token in the database then tells the directory.
 */
export class TokenDirectory {
  readonly #byHash = new Map<string, AdmittingToken>();
  readonly #hashes = new Map<number, string>();
  /** The last tokens that were removed. No id is given twice, so what is still under way of them comes too late. */
  readonly #removed = new Set<number>();

  get size(): number {
    return this.#hashes.size;
  }

  findByValue(value: string): AdmittingToken | undefined {
    return this.#byHash.get(tokenHash(value));
  }

  findById(id: number): AdmittingToken | undefined {
    return this.#byHash.get(this.#hashes.get(id) ?? '');
  }

  ids(): Iterable<number> {
    return this.#hashes.keys();
  }

  /** Adds the token, or takes the place of an older record of it. A record older than the one known, or of a token removed, changes nothing. */
  put(record: TokenRecord): void {
    const known = this.findById(record.id);
    if (this.#removed.has(record.id) || (known && known.revision > record.revision)) return;

    const valueHash = tokenHash(record.token);
    if (known) this.#forget(record.id);
    this.#byHash.set(valueHash, Object.freeze(admitting(record, valueHash)));
    this.#hashes.set(record.id, valueHash);
  }

  remove(id: number): void {
    this.#forget(id);
    this.#removed.add(id);
    const [oldest] = this.#removed;
    if (this.#removed.size > REMOVED_KEPT && oldest !== undefined) this.#removed.delete(oldest);
  }

  #forget(id: number): void {
    this.#byHash.delete(this.#hashes.get(id) ?? '');
    this.#hashes.delete(id);
  }
}

function admitting(record: TokenRecord, valueHash: string): AdmittingToken {
  return {
    ...record,
    signed: null,
    print: valueHash.slice(0, PRINT_LENGTH),
    permitsStream: streamMatcher(record.streams),
    permitsOrigin: originMatcher(record.allowedOrigins),
    permitsAddress: addressMatcher(record.allowedIpAddresses),
    isBoundTo: bindingMatcher(record.boundIps),
  };
}

/** Hex digits; enough to tell one value of a token from the next. */
const PRINT_LENGTH = 16;

/** Far more than can be under way at once. */
const REMOVED_KEPT = 10_000;

/** How a token is found without its value being kept: SHA-256 in hex. The values are random, so no salt is needed. */
export function tokenHash(value: string): string {
  return hash('sha256', value, 'hex');
}
