import type { RefusalListQuery } from '../../src/wire/refusal.js';
import type { Refusal, TimedRefusal } from './refusal.js';
import { REFUSALS_KEPT, REFUSALS_KEPT_MS, type RefusalPage, type RefusalStore } from './refusal-store.js';

/** How many wait to be written, at most. With the pause it bounds what writing costs: 1,000 rows a second. */
export const MAX_PENDING = 500;
export const FLUSH_AFTER_MS = 500;
/** Of the room for those that wait, what one account may fill: a flood at one door must not blind the others. */
export const MAX_PENDING_OF_ACCOUNT = 250;
/** A flush that brought the rows written to this many is followed by a clean-up. */
const PRUNE_AFTER = 1_000;
/** Stream names are no longer; origins are whatever a client sends. */
const MAX_TEXT = 256;

export interface RefusalLogParts {
  readonly store: RefusalStore;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Refusals of a flush that were not kept, and why where it was an error. */
  readonly onDropped?: ((count: number, error?: unknown) => void) | undefined;
}

/**
 * Writes down who was turned away and why. The door never waits for it: refusals are gathered and written half a
 * second later, and those that come faster than that can be are counted and not kept.
 */
export class RefusalLog {
  readonly #store: RefusalStore;
  readonly #now: () => number;
  readonly #onDropped: (count: number, error?: unknown) => void;
  #pending: TimedRefusal[] = [];
  readonly #pendingOf = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #dropped = 0;
  #droppedTold = 0;
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
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref();
    const ofAccount = this.#pendingOf.get(accountId) ?? 0;
    if (this.#pending.length >= MAX_PENDING || ofAccount >= MAX_PENDING_OF_ACCOUNT) {
      this.#dropped += 1;
      return;
    }
    this.#pendingOf.set(accountId, ofAccount + 1);
    this.#pending.push({
      time: this.#now(),
      kind,
      accountId,
      tokenId,
      streamName: storable(streamName),
      origin: origin === undefined ? undefined : storable(origin),
      address,
      reason,
    });
  }

  /** Writes what waits, and resolves when it and all before it is written, or given up. It never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#pending;
    this.#pending = [];
    this.#pendingOf.clear();
    this.#writing = this.#writing.then(() => this.#write(batch));
    await this.#writing;
  }

  /** Of one account, the newest first; whoever was refused before the call is among them. */
  async list(accountId: string, query: RefusalListQuery): Promise<RefusalPage> {
    await this.flush();
    return await this.#store.list(accountId, query);
  }

  async #write(batch: readonly TimedRefusal[]): Promise<void> {
    try {
      if (batch.length > 0) await this.#store.add(batch);
      this.#sincePrune += batch.length;
      if (this.#sincePrune > PRUNE_AFTER) {
        this.#sincePrune = 0;
        await this.#store.prune(this.#now() - REFUSALS_KEPT_MS, REFUSALS_KEPT);
      }
      this.#tellDropped();
    } catch (error) {
      this.#dropped += batch.length;
      this.#tellDropped(error);
    }
  }

  #tellDropped(error?: unknown): void {
    const count = this.#dropped - this.#droppedTold;
    this.#droppedTold = this.#dropped;
    if (count > 0 || error !== undefined) this.#onDropped(count, error);
  }
}

/** PostgreSQL keeps no NUL in text. */
function storable(text: string): string {
  return text.slice(0, MAX_TEXT).replaceAll('\0', '\uFFFD');
}
