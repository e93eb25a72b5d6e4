import { ApiError } from '../errors.js';
import { ExpiringMap } from '../expiring-map.js';
import { mayFollow, type NextStates } from '../faults/next-states.js';
import { after } from '../faults/timers.js';
import { LookupQueue, LookupQueueFullError } from './lookup-queue.js';
import type { TokenDirectory } from './token-directory.js';
import { tokenHash, type TokenRecord } from './token-record.js';
import type { TokenStore } from './token-store.js';

/** Reports the changes that any process makes in the database. */
export interface TokenChangeFeed {
  /** After it resolves, every change is reported, or `lost()` is called. */
  start(listener: TokenChangeListener): Promise<void>;
  close(): Promise<void>;
}

export interface TokenChangeListener {
  /** The token was created, changed or deleted, possibly by this process. */
  changed(tokenId: number): void;
  /** Any number of tokens may have changed. */
  anyChanged(): void;
  /** Changes may go unreported until the next `anyChanged`. */
  lost(): void;
}

export interface TokenFollowerOptions {
  readonly store: Pick<TokenStore, 'find' | 'findByValue' | 'revisions' | 'publishTokens' | 'all'>;
  readonly directory: TokenDirectory;
  readonly changes: TokenChangeFeed;
}

/** How long the start waits for the tokens of viewers. After that, those that are not known are looked up, one by one. */
const FILL_WITHIN_MS = 2_000;
/** The pause before a failed read of the database is repeated, in ms. */
const RETRY_MS = 1_000;

/** The form of the values that this server issues. No other value is looked up. */
const TOKEN_VALUE = /^[0-9a-f]{64}$/;

/** Clients can send invented values, so these look-ups have a queue of their own and few of the database's connections. */
const UNKNOWN_LOOKUPS = { maxRunning: 2, maxWaiting: 1_000 };
const KNOWN_LOOKUPS = { maxRunning: 3, maxWaiting: 10_000 };
const NOTIFIED_LOOKUPS = { maxRunning: 3, maxWaiting: 10_000 };

/** Values that are not in the database: how many are remembered, and for how long. */
const MISSES = { capacity: 10_000, lifeMs: 2_000 };

/** Whether the directory equals the database, and what is done about that. */
type FollowerState =
  /** Changes go unreported. All is compared when they are reported again. */
  | { readonly name: 'deaf' }
  /** All tokens are read, or compared. */
  | ReadingState
  /** It is equal, or will be in a moment: every change is reported. */
  | { readonly name: 'current' }
  /** A read failed. All is compared after a pause. */
  | { readonly name: 'waiting'; readonly retry: NodeJS.Timeout }
  | { readonly name: 'closed' };

interface ReadingState {
  readonly name: 'reading';
  /** What follows, as far as is known. */
  next: NextName;
  /** Whether the directory was empty before: what it has was read after the first report. */
  readonly isFirst: boolean;
  readonly read: Promise<void>;
}

type NextName = Exclude<FollowerState['name'], 'closed'>;

const NEXT: NextStates<FollowerState['name']> = {
  deaf: ['deaf', 'reading', 'closed'],
  reading: ['deaf', 'reading', 'current', 'waiting', 'closed'],
  current: ['deaf', 'reading', 'waiting', 'closed'],
  waiting: ['deaf', 'reading', 'closed'],
  closed: [],
};

/** Keeps the directory equal to the database while other processes write to it: other nodes, and the command line. */
export class TokenFollower {
  readonly #store: TokenFollowerOptions['store'];
  readonly #directory: TokenDirectory;
  readonly #changes: TokenChangeFeed;
  readonly #unknownLookups = new LookupQueue<string | number>(UNKNOWN_LOOKUPS);
  readonly #knownLookups = new LookupQueue<number>(KNOWN_LOOKUPS);
  readonly #notifiedLookups = new LookupQueue<number>(NOTIFIED_LOOKUPS);
  /** By hash, so that no presented value is kept: credentials that the database does not have. */
  readonly #misses = new ExpiringMap<true>({ ...MISSES, now: () => performance.now() });
  /** The number of finished comparisons. */
  #comparisons = 0;
  #state: FollowerState = { name: 'deaf' };
  readonly #filled = Promise.withResolvers<void>();

  constructor({ store, directory, changes }: TokenFollowerOptions) {
    this.#store = store;
    this.#directory = directory;
    this.#changes = changes;
  }

  /** Resolves when the directory has all tokens for the first time. */
  get filled(): Promise<void> {
    return this.#filled.promise;
  }

  /**
   * Fills the directory and follows every change from then on. Call once, before the first admission. Resolves when the
   * directory has all tokens; with very many, when it has those of publishers, which decide who needs a token.
   * @returns whether it has all
   */
  async start(): Promise<boolean> {
    const { promise: isUsable, resolve: becomeUsable } = Promise.withResolvers<false>();
    this.#become('reading', async () => {
      await this.#changes.start({
        changed: (id) => void this.#notifiedLookups.run(id, () => this.#refresh(id, true)).catch(() => this.#failed()),
        anyChanged: () => this.#then('reading'),
        lost: () => this.#then('deaf'),
      });
      await this.#directory.fill(this.#store.publishTokens());
      const patience = after('tokens', FILL_WITHIN_MS, () => becomeUsable(false));
      await this.#directory.fill(this.#store.all()).finally(() => clearTimeout(patience));
    });
    if (this.#state.name !== 'reading') return false;
    return await Promise.race([this.#state.read.then(() => true), isUsable]);
  }

  async close(): Promise<void> {
    const before = this.#state;
    this.#become('closed');
    await this.#changes.close();
    if (before.name === 'reading') await before.read.catch(() => {});
  }

  /**
   * Reads the token with this value from the database, because another node may have created it a moment ago.
   * @param from the address of the caller: those who present invented values share the look-ups by network
   * @returns undefined, without a wait, if the directory is current: it has the token and receives every change,
   * or the database did not have the value a moment ago
   * @throws {ApiError} 503 `database_unavailable` or `busy`: without an answer a value is neither admitted nor refused
   */
  refreshIfStale(value: string, from = ''): Promise<void> | undefined {
    const known = this.#directory.findByValue(value);
    if (known) return this.#refreshKnown(known.id);
    if (!TOKEN_VALUE.test(value)) return undefined;
    const valueHash = this.#directory.hashOf(value);
    if (this.#misses.has(valueHash)) return undefined;
    const find = async (): Promise<void> => {
      const token = await this.#read(() => this.#store.findByValue(value));
      if (token) this.#directory.put(token);
      if (!this.#directory.findByValue(value)) this.#misses.set(valueHash, true);
    };
    return lookUp(this.#unknownLookups, valueHash, find, from);
  }

  /**
   * As `refreshIfStale`, by the id of a token: of a session that resumes, or that its owner asks about. Each call with an
   * id that never was reads the database.
   */
  refreshTokenIfStale(id: number): Promise<void> | undefined {
    if (this.#directory.wasRemoved(id)) return undefined;
    if (this.#directory.findById(id)) return this.#refreshKnown(id);
    return lookUp(this.#knownLookups, id, () => this.#refresh(id, false));
  }

  /**
   * As `refreshIfStale`, for a self-signed token that does not match the known state of the parent that it names:
   * another node may have created or refreshed the parent a moment ago. Anybody can sign a token that names any id.
   */
  refreshParentOf(signed: string, parentId: number, from = ''): Promise<void> | undefined {
    const signedHash = tokenHash(signed);
    if (this.#directory.wasRemoved(parentId) || this.#misses.has(signedHash)) return undefined;
    return lookUp(this.#unknownLookups, parentId, () => this.#refresh(parentId, false), from).then(() =>
      // If the token matches its parent now, the parent is known. If not, the database has no parent that matches.
      this.#misses.set(signedHash, true),
    );
  }

  #refreshKnown(id: number): Promise<void> | undefined {
    const state = this.#state;
    const isReported =
      state.name === 'current' || (state.name === 'reading' && state.isFirst && state.next === 'current');
    return isReported ? undefined : lookUp(this.#knownLookups, id, () => this.#refresh(id, true));
  }

  /** Reads again if a comparison ended meanwhile: it may have found the token deleted that was read before. */
  async #read(find: () => Promise<TokenRecord | undefined>): Promise<TokenRecord | undefined> {
    for (;;) {
      const comparisons = this.#comparisons;
      const token = await find();
      if (comparisons === this.#comparisons) return token;
    }
  }

  /** @param existed whether the database had a token with this id at some time: if it has none, it was deleted */
  async #refresh(id: number, existed: boolean): Promise<void> {
    const token = await this.#read(() => this.#store.find(id));
    if (token) this.#directory.put(token);
    // Even an unknown token: a record of it may be on its way into the directory.
    else if (existed) this.#directory.remove(id);
  }

  /** The database could not be read, so a change may be missing. */
  #failed(): void {
    const state = this.#state;
    if ((state.name === 'reading' ? state.next : state.name) === 'current') this.#then('waiting');
  }

  /** At once, or after the read that runs: one runs at a time, and can have missed what happened meanwhile. */
  #then(name: NextName): void {
    const state = this.#state;
    if (state.name === 'reading') state.next = name;
    // The feed can have a last word when the follower is closed.
    else if (state.name !== 'closed') this.#become(name);
  }

  /** @param readAll fills the empty directory. Undefined: it is compared with the database */
  #become(name: FollowerState['name'], readAll?: () => Promise<void>): void {
    const before = this.#state;
    if (!mayFollow('tokens', NEXT, before.name, name)) return;
    if (before.name === 'waiting') clearTimeout(before.retry);
    if (name === 'reading') {
      const isFirst = readAll !== undefined;
      const read = Promise.resolve().then(readAll ?? (() => this.#compareAll()));
      const reading: ReadingState = { name, next: 'current', read, isFirst };
      const end = () => this.#state === reading && this.#become(reading.next);
      read.then(this.#filled.resolve, () => {});
      reading.read.then(end, () => {
        this.#failed();
        end();
      });
      this.#state = reading;
    } else if (name === 'waiting') {
      this.#state = { name, retry: after('tokens', RETRY_MS, () => this.#become('reading')).unref() };
    } else {
      this.#state = { name };
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

async function lookUp<Key>(
  queue: LookupQueue<Key>,
  ...[key, find, from]: Parameters<LookupQueue<Key>['run']>
): Promise<void> {
  try {
    await queue.run(key, find, from);
  } catch (cause) {
    const headers = { 'retry-after': '2' };
    if (cause instanceof LookupQueueFullError) {
      throw new ApiError(503, 'busy', 'Too many tokens are being looked up; try again in a moment', { cause, headers });
    }
    const message = 'The server cannot reach its database; try again in a moment';
    throw new ApiError(503, 'database_unavailable', message, { cause, headers });
  }
}
