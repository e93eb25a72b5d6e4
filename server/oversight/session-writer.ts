import { ApiError } from '../errors.js';
import { every } from '../faults/timers.js';
import { LOST_AFTER_MS, type SessionRecord } from './session-record.js';
import type { SessionStore } from './session-store.js';
import { UnconnectedBudget } from './unconnected-budget.js';

export const SAVE_EVERY_MS = 5_000;
/** An open session is written again after this time, so that a crash of the server loses at most a minute of it. */
export const REFRESH_AFTER_MS = 45_000;
/** The most rows of one turn of `SAVE_EVERY_MS`. */
export const MAX_ROWS_PER_TURN = 2_500;
/** The most ended sessions that wait to be written. */
export const MAX_ENDED_WAITING = 10_000;
/** The most viewers of a stream whose newest reports a reader waits for. Those of more are up to 45 seconds old. */
export const MAX_REPORTED_AT_ONCE = 200;
/** How often the number of sessions that the budget did not admit is reported. */
const REPORT_EVERY_MS = 60_000;
/** The rows of one transaction, so that other writes wait for a short time only. */
const ROWS_AT_ONCE = 100;

export interface SessionWriterOptions {
  readonly store: Pick<SessionStore, 'save' | 'endLost'>;
  /** The records of the sessions that are open now. One can come twice. */
  readonly openRecords: () => Iterable<SessionRecord>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The number of records that are lost, and the error. Undefined: too many sessions ended before media connected. */
  readonly onDropped: (count: number, error: unknown) => void;
}

/** Writes records of sessions to the database every five seconds. While the database is unavailable, they wait. */
export class SessionWriter {
  readonly #options: SessionWriterOptions;
  /** Since they were written. */
  readonly #changed = new Set<SessionRecord>();
  /** Those with reports since they were written. */
  readonly #reported = new Set<SessionRecord>();
  readonly #savedOn = new WeakMap<SessionRecord, number>();
  readonly #unconnected = new UnconnectedBudget();
  /** Those without media that may be written. */
  readonly #admitted = new WeakSet<SessionRecord>();
  #notAdmitted = 0;
  #reportedOn = -Infinity;
  readonly #timer: NodeJS.Timeout;
  #saving: Promise<unknown> = Promise.resolve();
  #lostEndedOn = -Infinity;

  constructor(options: SessionWriterOptions) {
    this.#options = options;
    this.#timer = every('oversight', SAVE_EVERY_MS, () => this.#turn()).unref();
  }

  /** Writes the record in the next turn. */
  changed(record: SessionRecord): void {
    // An open one may connect until then.
    if (record.isOpen || this.#admits(record)) this.#changed.add(record);
  }

  /** The record has another report, which can wait for its next regular write. */
  reported(record: SessionRecord): void {
    this.#reported.add(record);
  }

  /** Writes what has changed. Resolves when it is written or the database is unavailable. Never rejects. */
  async flush(): Promise<void> {
    await this.#save([...this.#changed]);
  }

  /**
   * Writes what has changed, and the reports of these records, unless they are very many.
   * @throws {DatabaseUnavailableError}
   */
  async flushForReader(records: Iterable<SessionRecord>): Promise<void> {
    const reported = [...records].filter((record) => this.#reported.has(record));
    const awaited = reported.length > MAX_REPORTED_AT_ONCE ? [] : reported;
    const unavailable = await this.#save([...new Set([...this.#changed, ...awaited])]);
    // Another query would only double the wait.
    if (unavailable?.status === 503) throw unavailable;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
    this.#reportNotAdmitted(Infinity);
  }

  async #turn(): Promise<void> {
    const { store, openRecords, now } = this.#options;
    const time = now();
    const due = new Set([...this.#changed].slice(0, MAX_ROWS_PER_TURN));
    for (const record of openRecords()) {
      if (due.size >= MAX_ROWS_PER_TURN) break;
      if (time - (this.#savedOn.get(record) ?? 0) >= REFRESH_AFTER_MS) due.add(record);
    }
    const unavailable = await this.#save([...due]);
    this.#reportNotAdmitted(time);
    if (unavailable || time - this.#lostEndedOn < LOST_AFTER_MS / 3) return;
    this.#lostEndedOn = time;
    // Repeated by the next turn if it fails.
    await store.endLost(time - LOST_AFTER_MS).catch(() => (this.#lostEndedOn = -Infinity));
  }

  /** One write at a time, so that an older state never replaces a newer one. */
  #save(records: readonly SessionRecord[]): Promise<ApiError | undefined> {
    const saved = this.#saving.then(() => this.#saveAll(records));
    // The next write must not fail because this one did.
    this.#saving = saved.catch(() => {});
    return saved;
  }

  /** @returns the error of the database, if records still wait because of it */
  async #saveAll(all: readonly SessionRecord[]): Promise<ApiError | undefined> {
    const records = all.filter((record) => this.#admits(record));
    for (let start = 0; start < records.length; start += ROWS_AT_ONCE) {
      const unavailable = await this.#savePart(records.slice(start, start + ROWS_AT_ONCE));
      if (unavailable) {
        this.#dropBeyondLimit(unavailable);
        return unavailable;
      }
    }
    return undefined;
  }

  /** An open session that is not admitted is looked at again in each turn, and is written when its media connects. */
  #admits(record: SessionRecord): boolean {
    if (record.hasConnected || this.#admitted.has(record)) return true;
    if (this.#unconnected.take(record.origin.address, this.#options.now())) {
      this.#admitted.add(record);
      return true;
    }
    this.#changed.delete(record);
    this.#reported.delete(record);
    if (!record.isOpen) this.#notAdmitted += 1;
    return false;
  }

  #reportNotAdmitted(time: number): void {
    if (this.#notAdmitted === 0 || time - this.#reportedOn < REPORT_EVERY_MS) return;
    this.#options.onDropped(this.#notAdmitted, undefined);
    this.#notAdmitted = 0;
    this.#reportedOn = time;
  }

  /** Halves a part that fails, so that one invalid row is dropped alone. */
  async #savePart(records: readonly SessionRecord[]): Promise<ApiError | undefined> {
    const { store, now, onDropped } = this.#options;
    const time = now();
    for (const record of records) {
      this.#changed.delete(record);
      this.#reported.delete(record);
    }
    try {
      await store.save(records.map((record) => record.storedAt(time)));
      for (const record of records) this.#savedOn.set(record, time);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError) {
        for (const record of records) this.#changed.add(record);
        return error;
      }
      if (records.length === 1) {
        onDropped(1, error);
        return undefined;
      }
      const middle = Math.ceil(records.length / 2);
      const first = await this.#savePart(records.slice(0, middle));
      const second = await this.#savePart(records.slice(middle));
      return first ?? second;
    }
  }

  #dropBeyondLimit(error: unknown): void {
    const ended = [...this.#changed].filter((record) => !record.isOpen);
    const dropped = ended.slice(0, Math.max(0, ended.length - MAX_ENDED_WAITING));
    for (const record of dropped) this.#changed.delete(record);
    if (dropped.length > 0) this.#options.onDropped(dropped.length, error);
  }
}
