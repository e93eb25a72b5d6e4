import { EventEmitter } from 'node:events';
import { ApiError } from '../errors.js';
import type { TokenChanges } from './token-changes.js';
import type { TokenDirectory } from './token-directory.js';
import type { TokenRecord } from './token-record.js';
import type { TokenStore } from './token-store.js';

export interface TokenFollowerParts {
  readonly store: TokenStore;
  readonly directory: TokenDirectory;
  readonly changes: TokenChanges;
}

export interface TokenFollowerEvents {
  /** Another process made, changed or deleted the token, and the directory knows. */
  changed: [tokenId: number];
}

/** How soon a database that could not be read is read again, in ms. */
const RETRY_MS = 1_000;

/** Keeps the directory true to the database while others write to it: other nodes, and the command line. */
export class TokenFollower extends EventEmitter<TokenFollowerEvents> {
  readonly #store: TokenStore;
  readonly #directory: TokenDirectory;
  readonly #changes: TokenChanges;
  #listening = false;
  /** Grows whenever something may have been missed. */
  #misses = 0;
  #inSync = false;
  #comparing: Promise<void> | undefined;
  #compareAgain = false;
  #retry: NodeJS.Timeout | undefined;

  constructor({ store, directory, changes }: TokenFollowerParts) {
    super();
    this.#store = store;
    this.#directory = directory;
    this.#changes = changes;
  }

  /** Fills the directory, and follows from then on. Once, before anybody is admitted. */
  async start(): Promise<void> {
    this.#listening = true;
    await this.#changes.start({
      changed: (id) => void this.#refresh(id).catch(() => this.#failed()),
      anyChanged: () => {
        this.#listening = true;
        this.#compare();
      },
      lost: () => {
        this.#listening = false;
        this.#missed();
      },
    });
    const misses = this.#misses;
    for await (const token of this.#store.all()) this.#directory.put(token);
    this.#inSync = this.#listening && misses === this.#misses;
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#compareAgain = false;
    await this.#changes.close();
    await this.#comparing;
    clearTimeout(this.#retry);
  }

  /**
   * Undefined while the directory is known to be true, so that nobody waits. While changes may go unheard, reads the
   * token from the database.
   * @throws {ApiError} 503 `database_unavailable`: what cannot be read is not believed
   */
  freshen(value: string | undefined): Promise<void> | undefined {
    return this.#inSync || value === undefined ? undefined : this.#readThrough(value);
  }

  async #readThrough(value: string): Promise<void> {
    try {
      const known = this.#directory.findByValue(value);
      if (known) await this.#refresh(known.id);
      else this.#follow(await this.#store.findByValue(value));
    } catch (cause) {
      const message = 'The server cannot reach its database';
      throw new ApiError(503, 'database_unavailable', message, { cause, headers: { 'retry-after': '2' } });
    }
  }

  #missed(): void {
    this.#misses += 1;
    this.#inSync = false;
  }

  /** The database could not be read, and what was to be read there is still unknown. */
  #failed(): void {
    this.#missed();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#compare(), RETRY_MS);
    this.#retry.unref();
  }

  async #refresh(id: number): Promise<void> {
    const token = await this.#store.find(id);
    if (token) this.#follow(token);
    else if (this.#directory.findById(id)) {
      this.#directory.remove(id);
      this.emit('changed', id);
    }
  }

  /** What this process changed by itself it has told already. */
  #follow(token: TokenRecord | undefined): void {
    if (!token) return;
    const known = this.#directory.findById(token.id);
    if (known && known.revision >= token.revision) return;
    this.#directory.put(token);
    this.emit('changed', token.id);
  }

  /** One comparison at a time; what happens during one is found by the next. */
  #compare(): void {
    if (this.#comparing) {
      this.#compareAgain = true;
      return;
    }
    this.#comparing = this.#compareOnce().finally(() => {
      this.#comparing = undefined;
      if (!this.#compareAgain) return;
      this.#compareAgain = false;
      this.#compare();
    });
  }

  async #compareOnce(): Promise<void> {
    const misses = this.#misses;
    try {
      await this.#compareAll();
      this.#inSync = this.#listening && misses === this.#misses;
    } catch {
      this.#failed();
    }
  }

  async #compareAll(): Promise<void> {
    const seen = new Set<number>();
    for await (const { id, revision } of this.#store.revisions()) {
      seen.add(id);
      const known = this.#directory.findById(id);
      if (!known || known.revision < revision) await this.#refresh(id);
    }
    const unseen = [...this.#directory.ids()].filter((id) => !seen.has(id));
    for (const id of unseen) await this.#refresh(id);
  }
}
