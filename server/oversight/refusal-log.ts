import type { RefusalListQuery } from '../../src/wire/management/refusal.js';
import { ApiError } from '../errors.js';
import { after } from '../faults/timers.js';
import type { Refusal, TimedRefusal } from './refusal.js';
import {
  MAX_REFUSALS_PER_ACCOUNT,
  REFUSAL_RETENTION_MS,
  type RefusalGroupPage,
  type RefusalPage,
  type RefusalStore,
} from './refusal-store.js';

/**
 * The most refusals that wait to be written. With the pause between writes, that limits writing to 1,000 rows a second.
 */
export const MAX_PENDING = 500;
export const FLUSH_AFTER_MS = 500;
/** The pause before refusals are written again after the database was unavailable. */
export const RETRY_AFTER_MS = 5_000;
/** The most waiting refusals of one account, so that a flood at one account does not displace those of others. */
export const MAX_PENDING_OF_ACCOUNT = 250;
/** The most waiting refusals of callers without a known token, together: they can name any account. */
export const MAX_PENDING_WITHOUT_TOKEN = 250;
/** The shortest time between two calls of `onDropped`. */
export const REPORT_INTERVAL_MS = 60_000;
/** Old refusals are deleted after this many rows were written. */
const PRUNE_AFTER = 1_000;
/** Stream names and account ids are not longer. An origin can be any text of a client. */
const MAX_TEXT = 256;

export interface RefusalLogOptions {
  readonly store: RefusalStore;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** The number of refusals that were lost since the last call, and the last error if one was the reason. */
  readonly onDropped?: ((count: number, error?: unknown) => void) | undefined;
}

/**
 * Records refused attempts and their reasons. Admission never waits for it: refusals are collected and written half a
 * second later, one batch at a time. Refusals that arrive faster, or while the database is unavailable, wait in a buffer
 * of fixed size. Those that do not fit are counted and dropped.
 */
export class RefusalLog {
  readonly #store: RefusalStore;
  readonly #now: () => number;
  readonly #onDropped: (count: number, error?: unknown) => void;
  #pending: TimedRefusal[] = [];
  readonly #pendingOf = new Map<string, number>();
  #pendingWithoutToken = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<ApiError | undefined> | undefined;
  #dropped = 0;
  #droppedReported = 0;
  #fault: unknown;
  #reportedAt = -Infinity;
  #reportTimer: NodeJS.Timeout | undefined;
  #sincePrune = PRUNE_AFTER;

  constructor({ store, now = Date.now, onDropped = () => {} }: RefusalLogOptions) {
    this.#store = store;
    this.#now = now;
    this.#onDropped = onDropped;
  }

  /** The number of refusals that were lost since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds a refusal to the buffer. Cheap; never throws and never waits. */
  record({ kind, accountId, tokenId, streamName, origin, address, reason }: Refusal): void {
    this.#flushAfter(FLUSH_AFTER_MS);
    this.#buffer({
      time: this.#now(),
      kind,
      accountId: storable(accountId),
      tokenId,
      streamName: storable(streamName),
      origin: origin === undefined ? undefined : storable(origin),
      address,
      reason,
    });
  }

  /** Writes the waiting refusals. Resolves when they are written or the database is unavailable. Never rejects. */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** Writes the waiting refusals if the database is available, and drops them otherwise. */
  async close(): Promise<void> {
    await this.#write();
    clearTimeout(this.#timer);
    clearTimeout(this.#reportTimer);
    this.#drop(this.#takePending().length);
    this.#report();
  }

  /**
   * The refusals of one account, the newest first, including all that were recorded before the call.
   * @throws {DatabaseUnavailableError}
   */
  async list(accountId: string, query: RefusalListQuery): Promise<RefusalPage> {
    await this.#writeBeforeRead();
    return await this.#store.list(accountId, query);
  }

  /**
   * The refusals of one account in groups, the largest first, including all that were recorded before the call.
   * @throws {DatabaseUnavailableError}
   */
  async groups(accountId: string, query: RefusalListQuery): Promise<RefusalGroupPage> {
    await this.#writeBeforeRead();
    return await this.#store.groups(accountId, query);
  }

  async #writeBeforeRead(): Promise<void> {
    const unavailable = await this.#write();
    // Another query would only double the wait.
    if (unavailable?.status === 503) throw unavailable;
  }

  #flushAfter(ms: number): void {
    this.#timer ??= after('oversight', ms, () => this.#write()).unref();
  }

  #buffer(refusal: TimedRefusal): void {
    const { accountId, tokenId } = refusal;
    const ofAccount = this.#pendingOf.get(accountId) ?? 0;
    const isFull =
      this.#pending.length >= MAX_PENDING ||
      ofAccount >= MAX_PENDING_OF_ACCOUNT ||
      (tokenId === null && this.#pendingWithoutToken >= MAX_PENDING_WITHOUT_TOKEN);
    if (isFull) {
      this.#dropped += 1;
      return;
    }
    this.#pendingOf.set(accountId, ofAccount + 1);
    if (tokenId === null) this.#pendingWithoutToken += 1;
    this.#pending.push(refusal);
  }

  #takePending(): TimedRefusal[] {
    const taken = this.#pending;
    this.#pending = [];
    this.#pendingOf.clear();
    this.#pendingWithoutToken = 0;
    return taken;
  }

  /** @returns the error of the database, if the refusals still wait because of it */
  async #write(): Promise<ApiError | undefined> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A write in progress does not contain the refusals that arrived after it began. They need another one.
    const unavailable = await this.#writing;
    if (unavailable) return unavailable;
    this.#writing ??= this.#writePending().finally(() => (this.#writing = undefined));
    return await this.#writing;
  }

  async #writePending(): Promise<ApiError | undefined> {
    const batch = this.#takePending();
    const unavailable = await this.#add(batch);
    if (unavailable) {
      // The oldest refusals stay in the buffer, because they show how a problem began.
      for (const refusal of [...unavailable.left, ...this.#takePending()]) this.#buffer(refusal);
      this.#flushAfter(RETRY_AFTER_MS);
    } else {
      this.#sincePrune += batch.length;
      await this.#pruneIfDue();
    }
    this.#reportIfDue();
    return unavailable?.error;
  }

  /**
   * Halves a batch that fails, so that one invalid row is dropped alone.
   * @returns what is left if the database fails
   */
  async #add(batch: readonly TimedRefusal[]): Promise<{ error: ApiError; left: readonly TimedRefusal[] } | undefined> {
    if (batch.length === 0) return undefined;
    try {
      await this.#store.add(batch);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return { error, left: batch };
      if (batch.length === 1) {
        this.#drop(1, error);
        return undefined;
      }
      const middle = Math.ceil(batch.length / 2);
      const [first, second] = [batch.slice(0, middle), batch.slice(middle)];
      const unavailable = await this.#add(first);
      return unavailable ? { ...unavailable, left: [...unavailable.left, ...second] } : await this.#add(second);
    }
  }

  async #pruneIfDue(): Promise<void> {
    if (this.#sincePrune <= PRUNE_AFTER) return;
    this.#sincePrune = 0;
    try {
      await this.#store.prune(this.#now() - REFUSAL_RETENTION_MS, MAX_REFUSALS_PER_ACCOUNT);
    } catch (error) {
      this.#fault = error;
    }
  }

  #drop(count: number, error?: unknown): void {
    this.#dropped += count;
    this.#fault = error ?? this.#fault;
  }

  #reportIfDue(): void {
    if (this.#dropped === this.#droppedReported && this.#fault === undefined) return;
    const wait = this.#reportedAt + REPORT_INTERVAL_MS - this.#now();
    if (wait <= 0) this.#report();
    else this.#reportTimer ??= after('oversight', wait, () => this.#report()).unref();
  }

  #report(): void {
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    const count = this.#dropped - this.#droppedReported;
    const fault = this.#fault;
    if (count === 0 && fault === undefined) return;
    this.#droppedReported = this.#dropped;
    this.#fault = undefined;
    this.#reportedAt = this.#now();
    this.#onDropped(count, fault);
  }
}

/** PostgreSQL text cannot contain NUL, and UTF-8 cannot contain half of a surrogate pair. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT).replaceAll('\0', '\uFFFD')).toString();
}
