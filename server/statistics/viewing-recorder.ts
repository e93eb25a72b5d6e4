import { ApiError } from '../errors.js';
import { every } from '../faults/timers.js';
import { streamIdOf, type StreamId } from '../streams/stream-id.js';
import {
  addSums,
  NO_SUMS,
  slotOf,
  sumsOfReport,
  type CountedReport,
  type StoredViewingSlot,
  type ViewingSums,
} from './viewing-sums.js';
import type { ViewingStore } from './viewing-store.js';

export const SAVE_EVERY_MS = 45_000;
/** A report is of about this time. */
const REPORTED_MS = 10_000;
/** The most slots that wait while the database is unavailable. */
const MAX_WAITING = 10_000;

interface OpenSlot {
  readonly accountId: string;
  readonly streamName: string;
  readonly slot: number;
  sums: ViewingSums;
  readonly viewers: Set<string>;
  readonly frozenViewers: Set<string>;
  isOverloaded: boolean;
}

export interface ViewingRecorderOptions {
  readonly store: ViewingStore;
  /** Names this run of the server: each run replaces its own sums only. */
  readonly serverId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** When the server was last overloaded, in milliseconds since 1970. Undefined: it was not. */
  readonly overloadedOn?: (() => number | undefined) | undefined;
  readonly onDropped?: (count: number, error: unknown) => void;
}

/**
 * Adds up what viewers report, by stream and five minutes. Reports never wait for it: sums are kept in memory and
 * written every 45 seconds. While the database is unavailable, they wait.
 */
export class ViewingRecorder {
  readonly #options: ViewingRecorderOptions;
  /** The present five minutes, by account and stream. */
  readonly #open = new Map<StreamId, OpenSlot>();
  /** Slots that changed since they were written. */
  #changed = new Set<OpenSlot>();
  readonly #timer: NodeJS.Timeout;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: ViewingRecorderOptions) {
    this.#options = options;
    this.#timer = every('statistics', SAVE_EVERY_MS, () => this.flush()).unref();
  }

  /** @param viewer identifies the viewer within the five minutes */
  add(
    stream: { readonly accountId: string; readonly streamName: string },
    viewer: string,
    report: CountedReport,
  ): void {
    const slot = this.#slotOf(stream);
    slot.sums = addSums(slot.sums, sumsOfReport(report));
    slot.viewers.add(viewer);
    if (report.freezes > 0) slot.frozenViewers.add(viewer);
    slot.isOverloaded ||= (this.#options.overloadedOn?.() ?? -Infinity) >= this.#options.now() - REPORTED_MS;
    this.#changed.add(slot);
  }

  /** Writes what has changed. Resolves when it is written or the database is unavailable. Never rejects. */
  async flush(): Promise<void> {
    const saved = this.#saving.then(() => this.#save());
    // The next write must not fail because this one did.
    this.#saving = saved.catch(() => {});
    await saved;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #slotOf({ accountId, streamName }: { readonly accountId: string; readonly streamName: string }): OpenSlot {
    const key = streamIdOf(accountId, streamName);
    const slot = slotOf(this.#options.now());
    const open = this.#open.get(key);
    if (open?.slot === slot) return open;
    const counted = { sums: NO_SUMS, viewers: new Set<string>(), frozenViewers: new Set<string>() };
    const next: OpenSlot = { accountId, streamName, slot, ...counted, isOverloaded: false };
    this.#open.set(key, next);
    return next;
  }

  async #save(): Promise<void> {
    const slots = [...this.#changed];
    this.#changed = new Set();
    const present = slotOf(this.#options.now());
    for (const [key, { slot }] of this.#open) if (slot !== present) this.#open.delete(key);
    if (slots.length === 0) return;
    try {
      await this.#options.store.save(this.#options.serverId, slots.map(stored));
    } catch (error) {
      this.#keep(slots, error);
    }
  }

  #keep(slots: readonly OpenSlot[], error: unknown): void {
    const isTemporary = error instanceof ApiError;
    const kept = isTemporary ? [...slots, ...this.#changed].slice(-MAX_WAITING) : [...this.#changed];
    const dropped = slots.length + this.#changed.size - kept.length;
    this.#changed = new Set(kept);
    if (dropped > 0) this.#options.onDropped?.(dropped, error);
  }
}

function stored({ accountId, streamName, slot, sums, isOverloaded, ...open }: OpenSlot): StoredViewingSlot {
  const [viewers, frozenViewers] = [open.viewers.size, open.frozenViewers.size];
  return { accountId, streamName, slot, ...sums, viewers, frozenViewers, isOverloaded };
}
