import { hash } from 'node:crypto';
import type { CompiledToken } from '../rules/access-request.js';
import { addressMatcher, bindingMatcher } from '../addresses/ip-address.js';
import { originMatcher } from './restrictions/origin-patterns.js';
import { streamMatcher } from './restrictions/stream-patterns.js';
import type { TokenRecord } from './token-record.js';

/**
 * Every token, in memory and ready to decide by: who asks to publish or to watch never waits for the database.
 * Loaded at start; whoever changes a token in the database then tells the directory.
 */
export class TokenDirectory {
  readonly #byHash = new Map<string, CompiledToken>();
  readonly #hashes = new Map<number, string>();
  /** Tokens that were deleted, the last ones at least. No id is given twice, so a record of one is an old one. */
  readonly #removed = new Set<number>();
  #fillsRunning = 0;
  #lastHashed = '';
  #lastHash = tokenHash('');

  get size(): number {
    return this.#hashes.size;
  }

  findByValue(value: string): CompiledToken | undefined {
    return this.#byHash.get(this.hashOf(value));
  }

  findById(id: number): CompiledToken | undefined {
    return this.#byHash.get(this.#hashes.get(id) ?? '');
  }

  ids(): Iterable<number> {
    return this.#hashes.keys();
  }

  /** {@link tokenHash}, once for the several questions that one call asks about the same value. */
  hashOf(value: string): string {
    if (value !== this.#lastHashed) {
      this.#lastHash = tokenHash(value);
      this.#lastHashed = value;
    }
    return this.#lastHash;
  }

  /**
   * Adds the token, or replaces an older record of it. A record older than the known one, or of a deleted token,
   * changes nothing. A token whose value cannot be opened is not kept, as nobody can be admitted by it.
   * @returns whether the directory is different now
   */
  put(record: TokenRecord): boolean {
    const known = this.findById(record.id);
    if (this.#removed.has(record.id) || (known && known.revision > record.revision)) return false;

    if (known) this.#forget(record.id);
    if (record.token === '') return known !== undefined;
    const valueHash = tokenHash(record.token);
    this.#byHash.set(valueHash, Object.freeze(admitting(record, valueHash)));
    this.#hashes.set(record.id, valueHash);
    return true;
  }

  /** Puts what a long read yields. A token that is deleted during the read stays deleted. */
  async fill(tokens: AsyncIterable<TokenRecord>): Promise<void> {
    this.#fillsRunning += 1;
    try {
      for await (const token of tokens) this.put(token);
    } finally {
      this.#fillsRunning -= 1;
      this.#trimRemoved();
    }
  }

  /** The token was deleted. It may be one that the directory has not heard of yet: a record of it may be under way. */
  remove(id: number): void {
    this.#forget(id);
    this.#removed.add(id);
    this.#trimRemoved();
  }

  wasRemoved(id: number): boolean {
    return this.#removed.has(id);
  }

  #forget(id: number): void {
    this.#byHash.delete(this.#hashes.get(id) ?? '');
    this.#hashes.delete(id);
  }

  /** Not during a long read, which can yield a token that was deleted any number of deletions ago. */
  #trimRemoved(): void {
    if (this.#fillsRunning > 0) return;
    for (const oldest of this.#removed) {
      if (this.#removed.size <= REMOVED_KEPT) return;
      this.#removed.delete(oldest);
    }
  }
}

function admitting(record: TokenRecord, valueHash: string): CompiledToken {
  return {
    ...record,
    signed: null,
    fingerprint: valueHash.slice(0, PRINT_LENGTH),
    permitsStream: streamMatcher(record.streams),
    permitsOrigin: originMatcher(record.allowedOrigins),
    permitsAddress: addressMatcher(record.allowedIpAddresses),
    isBoundTo: bindingMatcher(record.boundIps),
  };
}

/** Hex digits; enough to tell one value of a token from the next. */
const PRINT_LENGTH = 16;

/** Far more than are deleted while one token is read. */
const REMOVED_KEPT = 10_000;

/** How a token is found without its value being kept: SHA-256 in hex. The values are random, so no salt is needed. */
export function tokenHash(value: string): string {
  return hash('sha256', value, 'hex');
}
