import { Emitter } from '../faults/emitter.js';
import { compileToken, type CompiledToken } from './compiled-token.js';
import { PackedToken, TokenPacker } from './packed-token.js';
import { ProtectedNames } from './protected-names.js';
import { tokenHash, type TokenRecord } from './token-record.js';

export interface TokenDirectoryEvents {
  /** The token was created, changed or deleted, by this process or another one. The directory has the change. */
  changed: [tokenId: number];
}

/** Far more tokens than are deleted while one token is read from the database. */
const MAX_REMEMBERED_REMOVALS = 10_000;

/**
 * Every token, in memory, so that no admission waits for the database: packed until it is first used, and compiled from
 * then on. Changes take one path: the
 * service that made a change, or the follower that read it, puts the record here, and the directory emits `changed` if
 * the record is newer.
 */
export class TokenDirectory extends Emitter<TokenDirectoryEvents> {
  readonly #byHash = new Map<string, CompiledToken | PackedToken>();
  readonly #packer = new TokenPacker();
  readonly #hashes = new Map<number, string>();
  readonly #protected = new ProtectedNames();
  /** The ids of deleted tokens, at least the most recent ones. Ids are never reused, so a record of one is outdated. */
  readonly #removed = new Set<number>();
  #fillsRunning = 0;
  #lastHashed = '';
  #lastHash = tokenHash('');

  constructor() {
    super('tokens');
  }

  get size(): number {
    return this.#hashes.size;
  }

  findByValue(value: string): CompiledToken | undefined {
    return this.#find(this.hashOf(value));
  }

  findById(id: number): CompiledToken | undefined {
    const hash = this.#hashes.get(id);
    return hash === undefined ? undefined : this.#find(hash);
  }

  #find(hash: string): CompiledToken | undefined {
    const token = this.#byHash.get(hash);
    if (!(token instanceof PackedToken)) return token;
    const compiled = compileToken(token.unpacked(), hash);
    this.#byHash.set(hash, compiled);
    return compiled;
  }

  /** See `ProtectedNames.has`. */
  protects(accountId: string, streamName: string, now: number): boolean {
    return this.#protected.has(accountId, streamName, now);
  }

  ids(): Iterable<number> {
    return this.#hashes.keys();
  }

  /** {@link tokenHash} with a cache of one: a call looks the same value up several times. */
  hashOf(value: string): string {
    if (value !== this.#lastHashed) {
      this.#lastHash = tokenHash(value);
      this.#lastHashed = value;
    }
    return this.#lastHash;
  }

  /**
   * Adds the token, or replaces an older record of it, and emits `changed`. Ignores a record of a deleted token and a
   * record that is not newer than the known one. A token whose value cannot be opened is removed, because it admits
   * no one.
   */
  put(record: TokenRecord): void {
    if (this.#replace(record)) this.emit('changed', record.id);
  }

  /** As `put`, for an address binding, without the event: a new binding revokes no access. */
  putBinding(record: TokenRecord): void {
    this.#replace(record);
  }

  /**
   * Puts all records of a long read. A token that is deleted during the read stays deleted. A token that was not known
   * before is no change: it is as whoever asks finds it.
   */
  async fill(tokens: AsyncIterable<TokenRecord>): Promise<void> {
    this.#fillsRunning += 1;
    try {
      for await (const token of tokens) {
        const isKnown = this.#hashes.has(token.id);
        if (this.#replace(token) && isKnown) this.emit('changed', token.id);
      }
    } finally {
      this.#fillsRunning -= 1;
      this.#trimRemoved();
    }
  }

  /**
   * Forgets a deleted token, and emits `changed` if it was known. Remembers the id in any case, because a record of
   * the token may be on its way here.
   */
  remove(id: number): void {
    const known = this.#hashes.has(id);
    this.#forget(id);
    this.#removed.add(id);
    this.#trimRemoved();
    if (known) this.emit('changed', id);
  }

  wasRemoved(id: number): boolean {
    return this.#removed.has(id);
  }

  /** @returns whether the directory changed */
  #replace(record: TokenRecord): boolean {
    const known = this.#byHash.get(this.#hashes.get(record.id) ?? '');
    if (this.#removed.has(record.id) || (known && known.revision >= record.revision)) return false;

    if (known) this.#forget(record.id);
    if (record.token === '') return known !== undefined;
    const valueHash = tokenHash(record.token);
    // Those of publishers decide about viewers of all kinds.
    const packed = record.kind === 'subscribe' ? this.#packer.pack(record) : undefined;
    const token = packed ?? compileToken(record, valueHash);
    this.#byHash.set(valueHash, token);
    if (!(token instanceof PackedToken)) this.#protected.add(token);
    this.#hashes.set(record.id, valueHash);
    return true;
  }

  #forget(id: number): void {
    const known = this.#byHash.get(this.#hashes.get(id) ?? '');
    if (known && !(known instanceof PackedToken)) this.#protected.remove(known);
    this.#byHash.delete(this.#hashes.get(id) ?? '');
    this.#hashes.delete(id);
  }

  /** Trims nothing during a long read, which can yield a token that was deleted any number of deletions ago. */
  #trimRemoved(): void {
    if (this.#fillsRunning > 0) return;
    for (const oldest of this.#removed) {
      if (this.#removed.size <= MAX_REMEMBERED_REMOVALS) return;
      this.#removed.delete(oldest);
    }
  }
}
