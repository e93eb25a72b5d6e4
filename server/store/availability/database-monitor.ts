import { EventEmitter } from 'node:events';
import { DatabaseUnavailableError, DiskFullError } from '../../errors.js';
import { isReserveAllowed, type DiskReserve } from './disk-reserve.js';
import type { StatementGuard } from './guarded-dialect.js';

/** What keeps the database from its work, for as long as it does. */
export interface DatabaseProblem {
  readonly code: 'database_unavailable' | 'disk_full';
  /** For the operator. Says nothing that strangers must not know. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface DatabaseWatchEvents {
  /** Once for each problem, however many calls meet it. */
  began: [problem: DatabaseProblem, cause: unknown];
  over: [problem: DatabaseProblem, lastedMs: number];
  /** So many calls since the last time were refused by a database that answers, but was too slow for them. */
  busy: [calls: number, cause: unknown];
}

export interface DatabaseWatchParts {
  /** Of the data folder, where the database is a file in it. */
  readonly reserve?: DiskReserve | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** How often a full disk is looked at again, in ms. */
export const DISK_CHECK_INTERVAL_MS = 5_000;
/** How often a slow database is told of at most, in ms. */
export const BUSY_REPORT_INTERVAL_MS = 60_000;

const MESSAGES = {
  database_unavailable: 'The database does not answer: viewers with a token and the management API are refused',
  disk_full:
    'The disk of the database is full: nothing new can be saved; tokens in a data folder can still be disabled and deleted',
} as const;

/** Knows from the statements of everybody whether the database works, and keeps the reserve of its disk. */
export class DatabaseMonitor extends EventEmitter<DatabaseWatchEvents> implements StatementGuard {
  readonly #reserve: DiskReserve | undefined;
  readonly #now: () => number;
  readonly #problems = new Map<DatabaseProblem['code'], DatabaseProblem>();
  #timer: NodeJS.Timeout | undefined;
  #busyCalls = 0;
  #busyToldAt = -Infinity;
  /** The reserve is given up for a change that is under way. */
  #isReserveReleased = false;

  constructor({ reserve, now = Date.now }: DatabaseWatchParts = {}) {
    super();
    this.#reserve = reserve;
    this.#now = now;
  }

  /** What is wrong now, the oldest first. */
  get problems(): readonly DatabaseProblem[] {
    return [...this.#problems.values()];
  }

  readonly isDiskFull = (): boolean => this.#reserve?.isDiskFull() ?? false;

  /** Puts space aside, if that has not been done in this data folder. */
  takeReserve(): void {
    this.#reserve?.take();
  }

  /** @returns whether it had any space to give */
  releaseReserve(): boolean {
    return this.#reserve?.release() ?? false;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** On a full disk only changes that take access away get to what the reserve gives up. */
  beforeWrite(): void {
    if (!this.#reserve || !this.#problems.has('disk_full')) return;
    if (!isReserveAllowed()) throw new DiskFullError();
    this.#reserve.release();
    this.#isReserveReleased = true;
  }

  answered(saved: boolean): void {
    this.#end('database_unavailable');
    if (!saved) return;
    if (!this.#reserve) this.#end('disk_full');
    else if (this.#isReserveReleased) this.#retakeReserve();
  }

  failed(error: unknown): void {
    if (this.#isReserveReleased) this.#retakeReserve();
    if (error instanceof DiskFullError) this.#begin('disk_full', error.cause);
    else if (error instanceof DatabaseUnavailableError) {
      if (error.isBusy) this.#tellBusy(error.cause);
      else this.#begin('database_unavailable', error.cause);
    }
  }

  #begin(code: DatabaseProblem['code'], cause: unknown): void {
    if (this.#problems.has(code)) return;
    const problem = { code, message: MESSAGES[code], since: this.#now() };
    this.#problems.set(code, problem);
    this.emit('began', problem, cause);
    if (code === 'disk_full' && this.#reserve) {
      this.#timer ??= setInterval(() => this.#lookForRoom(), DISK_CHECK_INTERVAL_MS).unref();
    }
  }

  #end(code: DatabaseProblem['code']): void {
    const problem = this.#problems.get(code);
    if (!problem) return;
    this.#problems.delete(code);
    this.emit('over', problem, this.#now() - problem.since);
  }

  #retakeReserve(): void {
    this.#isReserveReleased = false;
    this.#reserve?.take();
  }

  #lookForRoom(): void {
    if (this.#isReserveReleased) {
      // A change is under way, or was given up without a word: the next look takes the space back.
      this.#isReserveReleased = false;
      return;
    }
    if (!this.#reserve?.restore()) return;
    this.close();
    this.#end('disk_full');
  }

  #tellBusy(cause: unknown): void {
    this.#busyCalls += 1;
    const now = this.#now();
    if (now - this.#busyToldAt < BUSY_REPORT_INTERVAL_MS) return;
    this.emit('busy', this.#busyCalls, cause);
    this.#busyCalls = 0;
    this.#busyToldAt = now;
  }
}
