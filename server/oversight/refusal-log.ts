import type { RefusalListQuery } from '../../src/wire/management/refusal.js';
import { ApiError } from '../errors.js';
import type { Refusal, TimedRefusal } from './refusal.js';
import {
  MAX_REFUSALS_PER_ACCOUNT,
  REFUSAL_RETENTION_MS,
  type RefusalPage,
  type RefusalStore,
} from './refusal-store.js';

/** How many wait to be written, at most. With the pause it bounds what writing costs: 1,000 rows a second. */
export const MAX_PENDING = 500;
export const FLUSH_AFTER_MS = 500;
/** How soon those are tried again that a database which is away could not take. */
export const RETRY_AFTER_MS = 5_000;
/** Of the room for those that wait, what one account may fill: a flood at one door must not blind the others. */
export const MAX_PENDING_OF_ACCOUNT = 250;
/** The same for callers without a token that we know, together: they may call the account whatever they like. */
export const MAX_PENDING_WITHOUT_TOKEN = 250;
/** How often it is told at most that some were not kept. */
export const REPORT_INTERVAL_MS = 60_000;
/** A flush that brought the rows written to this many is followed by a clean-up. */
const PRUNE_AFTER = 1_000;
/** Stream names and accounts are no longer; origins are whatever a client sends. */
const MAX_TEXT = 256;

export interface RefusalLogParts {
  readonly store: RefusalStore;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** So many refusals were not kept since the last time, and the last error where one was the reason. */
  readonly onDropped?: ((count: number, error?: unknown) => void) | undefined;
}

/**
 * Writes down who was turned away and why. The door never waits for it: refusals are gathered and written half a
 * second later, one batch at a time. Those that come faster than that, or while the database is away, wait in a room
 * of fixed size; what does not fit is counted and not kept.
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
  #droppedTold = 0;
  #fault: unknown;
  #toldAt = -Infinity;
  #tellTimer: NodeJS.Timeout | undefined;
  #sincePrune = PRUNE_AFTER;

  constructor({ store, now = Date.now, onDropped = () => {} }: RefusalLogParts) {
    this.#store = store;
    this.#now = now;
    this.#onDropped = onDropped;
  }

  /** Refusals that were not kept since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Cheap, never fails, never waits. */
  record({ kind, accountId, tokenId, streamName, origin, address, reason }: Refusal): void {
    this.#flushAfter(FLUSH_AFTER_MS);
    this.#keep({
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

  /** Writes what waits, and resolves when it is written or has to wait for the database. It never rejects. */
  async flush(): Promise<void> {
    await this.#write();
  }

  /** Writes what can be written, and gives up the rest. */
  async close(): Promise<void> {
    await this.#write();
    clearTimeout(this.#timer);
    clearTimeout(this.#tellTimer);
    this.#drop(this.#takePending().length);
    this.#tell();
  }

  /**
   * Of one account, the newest first; whoever was refused before the call is among them.
   * @throws {DatabaseUnavailableError}
   */
  async list(accountId: string, query: RefusalListQuery): Promise<RefusalPage> {
    const away = await this.#write();
    // Asking again would only double the wait.
    if (away?.status === 503) throw away;
    return await this.#store.list(accountId, query);
  }

  #flushAfter(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#write(), ms).unref();
  }

  #keep(refusal: TimedRefusal): void {
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

  /** @returns why the database could not take them, if that is why they still wait */
  async #write(): Promise<ApiError | undefined> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // What waited when it began, it writes; who came later needs another.
    const away = await this.#writing;
    if (away) return away;
    this.#writing ??= this.#writePending().finally(() => (this.#writing = undefined));
    return await this.#writing;
  }

  async #writePending(): Promise<ApiError | undefined> {
    const batch = this.#takePending();
    const away = await this.#add(batch);
    if (away) {
      // The oldest stay: they tell how it began.
      for (const refusal of [...away.left, ...this.#takePending()]) this.#keep(refusal);
      this.#flushAfter(RETRY_AFTER_MS);
    } else {
      this.#sincePrune += batch.length;
      await this.#pruneIfDue();
    }
    this.#tellIfDue();
    return away?.why;
  }

  /** One row that cannot be written keeps no other from it. @returns what is left, if the database is away */
  async #add(batch: readonly TimedRefusal[]): Promise<{ why: ApiError; left: readonly TimedRefusal[] } | undefined> {
    if (batch.length === 0) return undefined;
    try {
      await this.#store.add(batch);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) return { why: error, left: batch };
      if (batch.length === 1) {
        this.#drop(1, error);
        return undefined;
      }
      const middle = Math.ceil(batch.length / 2);
      const [first, second] = [batch.slice(0, middle), batch.slice(middle)];
      const away = await this.#add(first);
      return away ? { ...away, left: [...away.left, ...second] } : await this.#add(second);
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

  #tellIfDue(): void {
    if (this.#dropped === this.#droppedTold && this.#fault === undefined) return;
    const wait = this.#toldAt + REPORT_INTERVAL_MS - this.#now();
    if (wait <= 0) this.#tell();
    else this.#tellTimer ??= setTimeout(() => this.#tell(), wait).unref();
  }

  #tell(): void {
    clearTimeout(this.#tellTimer);
    this.#tellTimer = undefined;
    const count = this.#dropped - this.#droppedTold;
    const fault = this.#fault;
    if (count === 0 && fault === undefined) return;
    this.#droppedTold = this.#dropped;
    this.#fault = undefined;
    this.#toldAt = this.#now();
    this.#onDropped(count, fault);
  }
}

/** PostgreSQL keeps no NUL in text, and UTF-8 no half of a surrogate pair. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT).replaceAll('\0', '\uFFFD')).toString();
}
