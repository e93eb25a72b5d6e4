import { EventEmitter } from 'node:events';
import { ApiError } from '../errors.js';
import { LookupQueue, LookupQueueFullError } from './lookup-queue.js';
import { RecentMisses } from './recent-misses.js';
import type { TokenChangeFeed } from './token-change-feed.js';
import { tokenHash, type TokenDirectory } from './token-directory.js';
import type { TokenRecord } from './token-record.js';
import type { TokenStore } from './token-store.js';

export interface TokenFollowerParts {
  readonly store: Pick<TokenStore, 'find' | 'findByValue' | 'revisions' | 'all'>;
  readonly directory: TokenDirectory;
  readonly changes: TokenChangeFeed;
}

export interface TokenFollowerEvents {
  /** Another process made, changed or deleted the token, and the directory knows. */
  changed: [tokenId: number];
}

/** How soon a database that could not be read is read again, in ms. */
const RETRY_MS = 1_000;

/** The values that we make. Nothing else needs to be looked up. */
const TOKEN_VALUE = /^[0-9a-f]{64}$/;

/** Anybody can invent values, so these look-ups get a part of the connections and a queue of their own. */
const UNKNOWN = { atOnce: 2, mostWaiting: 1_000 };
const KNOWN = { atOnce: 3, mostWaiting: 10_000 };
const NOTIFIED = { atOnce: 3, mostWaiting: 10_000 };

const MISSES = { most: 10_000, keptMs: 2_000 };

/** Keeps the directory true to the database while others write to it: other nodes, and the command line. */
export class TokenFollower extends EventEmitter<TokenFollowerEvents> {
  readonly #store: TokenFollowerParts['store'];
  readonly #directory: TokenDirectory;
  readonly #changes: TokenChangeFeed;
  readonly #unknownLookups = new LookupQueue<string | number>(UNKNOWN);
  readonly #knownLookups = new LookupQueue<number>(KNOWN);
  readonly #notifiedLookups = new LookupQueue<number>(NOTIFIED);
  /** By hash: what was presented and was not in the database. */
  readonly #misses = new RecentMisses(MISSES);
  #listening = false;
  /** Grows whenever a change may have gone unheard. */
  #gaps = 0;
  #inSync = false;
  /** How many comparisons are over. */
  #comparisons = 0;
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
      changed: (id) => void this.#notifiedLookups.run(id, () => this.#refresh(id, true)).catch(() => this.#failed()),
      anyChanged: () => {
        this.#listening = true;
        this.#compare();
      },
      lost: () => {
        this.#listening = false;
        this.#missed();
      },
    });
    // What this read misses is found by a comparison after it, never by one beside it.
    await this.#alone(() => this.#directory.fill(this.#store.all()));
  }

  async close(): Promise<void> {
    clearTimeout(this.#retry);
    this.#compareAgain = false;
    await this.#changes.close();
    await this.#comparing;
    clearTimeout(this.#retry);
  }

  /**
   * Undefined if the directory knows what the database would say of the value, so that nobody waits: it has the token
   * and hears of every change, or the database did not have the value just now. Otherwise reads from the database, as
   * another node may have made the token a moment ago.
   * @throws {ApiError} 503 `database_unavailable` or `busy`: what cannot be read is neither admitted nor refused
   */
  refreshIfStale(value: string): Promise<void> | undefined {
    const known = this.#directory.findByValue(value);
    if (known) return this.#refreshKnown(known.id);
    if (!TOKEN_VALUE.test(value)) return undefined;
    const valueHash = this.#directory.hashOf(value);
    if (this.#misses.has(valueHash)) return undefined;
    return readThrough(this.#unknownLookups, valueHash, async () => {
      const token = await this.#read(() => this.#store.findByValue(value));
      if (token) this.#follow(token);
      if (!this.#directory.findByValue(value)) this.#misses.add(valueHash);
    });
  }

  /** The same, by the id of a token that exists or did: of a session that resumes, for one. Throws the same. */
  refreshTokenIfStale(id: number): Promise<void> | undefined {
    if (this.#directory.wasRemoved(id)) return undefined;
    if (this.#directory.findById(id)) return this.#refreshKnown(id);
    return readThrough(this.#knownLookups, id, () => this.#refresh(id, false));
  }

  /**
   * For a self-signed token that does not fit what is known of the parent that it names: another node may have made
   * the parent, or given it a new value, a moment ago. Anybody can write one that names any id. Throws the same.
   */
  refreshParentOf(signed: string, parentId: number): Promise<void> | undefined {
    const signedHash = tokenHash(signed);
    if (this.#directory.wasRemoved(parentId) || this.#misses.has(signedHash)) return undefined;
    return readThrough(this.#unknownLookups, parentId, () => this.#refresh(parentId, false)).then(() =>
      // If it fits now it is known; if not, the database has nothing that it fits.
      this.#misses.add(signedHash),
    );
  }

  #refreshKnown(id: number): Promise<void> | undefined {
    return this.#inSync ? undefined : readThrough(this.#knownLookups, id, () => this.#refresh(id, true));
  }

  #missed(): void {
    this.#gaps += 1;
    this.#inSync = false;
  }

  /** The database could not be read, and what was to be read there is still unknown. */
  #failed(): void {
    this.#missed();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#compare(), RETRY_MS);
    this.#retry.unref();
  }

  /** Reads again if a comparison ended meanwhile, as the answer may be a token that the comparison found deleted. */
  async #read(find: () => Promise<TokenRecord | undefined>): Promise<TokenRecord | undefined> {
    for (;;) {
      const comparisons = this.#comparisons;
      const token = await find();
      if (comparisons === this.#comparisons) return token;
    }
  }

  /** @param existed whether a token with this id was in the database at some time: if it is gone, it was deleted */
  async #refresh(id: number, existed: boolean): Promise<void> {
    const token = await this.#read(() => this.#store.find(id));
    if (token) this.#follow(token);
    else if (existed) this.#remove(id);
  }

  /** Also where the token is not known: a record of it may be on its way into the directory. */
  #remove(id: number): void {
    const known = this.#directory.findById(id) !== undefined;
    this.#directory.remove(id);
    if (known) this.emit('changed', id);
  }

  /** What this process changed by itself was told by whoever changed it. */
  #follow(token: TokenRecord): void {
    const known = this.#directory.findById(token.id);
    if (known && known.revision >= token.revision) return;
    if (this.#directory.put(token)) this.emit('changed', token.id);
  }

  /** One at a time; what happens during one is found by the next. */
  #compare(): void {
    if (this.#comparing) this.#compareAgain = true;
    else this.#alone(() => this.#compareAll()).catch(() => this.#failed());
  }

  #alone(readAll: () => Promise<void>): Promise<void> {
    const reading = this.#bringInSync(readAll);
    this.#comparing = reading.catch(() => undefined);
    return reading;
  }

  /** After `readAll` the directory is true to the database, unless a change went unheard meanwhile. */
  async #bringInSync(readAll: () => Promise<void>): Promise<void> {
    const gaps = this.#gaps;
    try {
      await readAll();
      this.#inSync = this.#listening && gaps === this.#gaps;
    } finally {
      this.#comparing = undefined;
      if (this.#compareAgain) {
        this.#compareAgain = false;
        this.#compare();
      }
    }
  }

  async #compareAll(): Promise<void> {
    const seen = new Set<number>();
    for await (const { id, revision } of this.#store.revisions()) {
      seen.add(id);
      const known = this.#directory.findById(id);
      if (!known || known.revision < revision) await this.#refresh(id, true);
    }
    this.#comparisons += 1;
    const unseen = [...this.#directory.ids()].filter((id) => !seen.has(id));
    for (const id of unseen) await this.#refresh(id, true);
  }
}

async function readThrough<Key>(queue: LookupQueue<Key>, key: Key, look: () => Promise<void>): Promise<void> {
  try {
    await queue.run(key, look);
  } catch (cause) {
    const headers = { 'retry-after': '2' };
    if (cause instanceof LookupQueueFullError) {
      throw new ApiError(503, 'busy', 'Too many tokens are being looked up', { cause, headers });
    }
    throw new ApiError(503, 'database_unavailable', 'The server cannot reach its database', { cause, headers });
  }
}
