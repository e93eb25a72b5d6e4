import { DatabaseUnavailableError, DiskFullError } from '../../errors.js';
import { Emitter } from '../../faults/emitter.js';
import { every } from '../../faults/timers.js';
import { isReserveAllowed, type DiskReserve } from './disk-reserve.js';
import { FreeSpace } from './free-space.js';
import type { ConnectionCounts, DatabaseStep, StatementGuard } from './guarded-dialect.js';

/** A condition that keeps the database from working, while it lasts. */
export interface DatabaseProblem {
  readonly code: 'database_unavailable' | 'disk_full' | 'notifications_lost';
  /** For the operator. Contains nothing that the public must not know. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface DatabaseMonitorEvents {
  /** Emitted once for each problem, however many calls it affects. */
  began: [problem: DatabaseProblem, cause: unknown];
  /** An outage goes on for another reason: a database that did not answer is read-only now. */
  changed: [problem: DatabaseProblem, cause: unknown];
  over: [problem: DatabaseProblem, lastedMs: number];
  /**
   * The database accepts no writes. Emitted for each call that this affects. A primary that was demoted may still answer
   * on the connections that lead to it.
   */
  'read-only': [];
  /** The number of calls since the last event that failed because the database was too slow for them. */
  busy: [calls: number, cause: unknown];
  /** One call failed because of the database. */
  fault: [kind: DatabaseFaultKind];
  /** A call waited for this. */
  took: [step: DatabaseStep, ms: number];
}

/** `busy`: the database answers, but not in time. */
export type DatabaseFaultKind = Exclude<DatabaseProblem['code'], 'notifications_lost'> | 'busy';

export interface DatabaseMonitorOptions {
  /** The disk reserve of the data folder. Undefined for PostgreSQL. */
  readonly reserve?: DiskReserve | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** What is tried while a problem lasts: a server that nobody calls would not notice the end. */
export interface DatabaseTries {
  /** Fails while the database is read-only. */
  readonly write: () => Promise<unknown>;
  /** Needs new disk space, and gives it back. Absent where there is a reserve. */
  readonly takeSpace?: (() => Promise<unknown>) | undefined;
}

/** How often a full disk is checked again, in ms. */
export const DISK_CHECK_INTERVAL_MS = 5_000;
/** How often a write is tried while the database is read-only, in ms. */
export const WRITE_CHECK_INTERVAL_MS = 2_000;
/** The shortest time between two `busy` events, in ms. */
export const BUSY_REPORT_INTERVAL_MS = 60_000;

/** What lasts until the database works again. Calls that a busy database refuses are counted instead. */
const PROBLEMS = {
  unreachable: {
    code: 'database_unavailable',
    message: 'The database does not answer: viewers with a token and the management API are refused',
  },
  'read-only': {
    code: 'database_unavailable',
    message: 'The database is read-only: nothing can be saved, and with PostgreSQL nobody can publish',
  },
  'disk-full': {
    code: 'disk_full',
    message:
      'The disk of the database is full: nothing new can be saved; tokens in a data folder can still be disabled and deleted',
  },
  'notifications-lost': {
    code: 'notifications_lost',
    message:
      'The database does not tell this server what other servers change: a connection pooler is between them, such as PgBouncer in transaction mode. Every token is read from the database',
  },
} as const;

/** What is wrong. An outage of the kind `unreachable` can turn into one of the kind `read-only`. */
type ProblemKind = keyof typeof PROBLEMS;

/** Derives from the outcome of every statement whether the database works, and manages the disk reserve. */
export class DatabaseMonitor extends Emitter<DatabaseMonitorEvents> implements StatementGuard {
  readonly connections: ConnectionCounts = { used: 0, waiting: 0 };
  readonly #reserve: DiskReserve | undefined;
  readonly #now: () => number;
  readonly #problems = new Map<
    DatabaseProblem['code'],
    { readonly kind: ProblemKind; readonly problem: DatabaseProblem }
  >();
  /** How often a problem began or was over. */
  #changes = 0;
  /** What checks whether a problem is over. */
  readonly #timers = new Map<DatabaseProblem['code'], NodeJS.Timeout>();
  #tries: DatabaseTries | undefined;
  readonly #space: FreeSpace;
  /** The channels of which nothing arrives. */
  readonly #lostChannels = new Set<string>();
  #busyCalls = 0;
  #busyReportedAt = -Infinity;
  /** The reserve is released for a change in progress. */
  #isReserveReleased = false;

  constructor({ reserve, now = Date.now }: DatabaseMonitorOptions = {}) {
    super('storage');
    this.#reserve = reserve;
    this.#now = now;
    this.#space = new FreeSpace(now);
  }

  /** The present problems, the oldest first. */
  get problems(): readonly DatabaseProblem[] {
    return [...this.#problems.values()].map(({ problem }) => problem);
  }

  readonly isDiskFull = (): boolean => this.#reserve?.isDiskFull() ?? false;

  /** Reserves disk space, unless the data folder has its reserve already. */
  takeReserve(): void {
    this.#reserve?.take();
  }

  /** @returns whether the reserve had any space */
  releaseReserve(): boolean {
    return this.#reserve?.release() ?? false;
  }

  tryWith(tries: DatabaseTries): void {
    this.#tries = tries;
  }

  close(): void {
    for (const code of this.#timers.keys()) this.#stopChecking(code);
  }

  /** On a full disk, only changes that revoke access or free space may use the space of the reserve. */
  beforeWrite(): void {
    if (!this.#reserve || !this.#problems.has('disk_full')) return;
    if (!isReserveAllowed()) throw new DiskFullError();
    this.#reserve.release();
    this.#isReserveReleased = true;
  }

  begins(): number {
    return this.#changes;
  }

  /**
   * What began before the last change says nothing about the present: an outage ends and begins once. A read-only
   * database answers reads, so only a write ends that. A full disk has space for small writes, so no write ends that.
   */
  answered(saved: boolean, begun = this.#changes): void {
    const isEnough = saved || this.#problems.get('database_unavailable')?.kind !== 'read-only';
    if (isEnough && begun === this.#changes) this.#end('database_unavailable');
    if (saved && this.#isReserveReleased) this.#retakeReserve();
  }

  failed(error: unknown, begun = this.#changes): void {
    if (this.#isReserveReleased) this.#retakeReserve();
    const fault = faultOf(error);
    if (fault === undefined || !(error instanceof Error)) return;
    if (fault === 'read-only') this.emit('read-only');
    if (fault === 'disk-full') this.#space.refused();
    this.emit('fault', fault === 'busy' ? fault : PROBLEMS[fault].code);
    if (fault === 'busy') this.#countBusyCall(error.cause);
    else if (fault === 'disk-full' || begun === this.#changes) this.#begin(fault, error.cause);
  }

  /** Nothing arrives that is sent on the channel, until `notificationsArrive`. */
  notificationsLost(channel: string, cause: unknown): void {
    this.#lostChannels.add(channel);
    this.#begin('notifications-lost', cause);
  }

  notificationsArrive(channel: string): void {
    this.#lostChannels.delete(channel);
    if (this.#lostChannels.size === 0) this.#end('notifications_lost');
  }

  took(step: DatabaseStep, ms: number): void {
    this.emit('took', step, ms);
  }

  #begin(kind: ProblemKind, cause: unknown): void {
    const { code, message } = PROBLEMS[kind];
    const present = this.#problems.get(code);
    if (present?.kind === kind || present?.kind === 'read-only') return;
    const problem = { code, message, since: present?.problem.since ?? this.#now() };
    this.#problems.set(code, { kind, problem });
    if (kind === 'read-only') this.#check(code, () => this.#checkWrites(), WRITE_CHECK_INTERVAL_MS);
    if (kind === 'disk-full') this.#check(code, () => this.#checkDisk(), DISK_CHECK_INTERVAL_MS);
    if (present) return void this.emit('changed', problem, cause);
    this.#changes += 1;
    this.emit('began', problem, cause);
  }

  #end(code: DatabaseProblem['code']): void {
    const problem = this.#problems.get(code)?.problem;
    if (!problem) return;
    this.#problems.delete(code);
    this.#stopChecking(code);
    this.#changes += 1;
    this.emit('over', problem, this.#now() - problem.since);
  }

  #check(code: DatabaseProblem['code'], check: () => void, everyMs: number): void {
    this.#timers.set(code, every('storage', everyMs, check).unref());
  }

  #stopChecking(code: DatabaseProblem['code']): void {
    clearInterval(this.#timers.get(code));
    this.#timers.delete(code);
  }

  /** The outcome is observed as that of any statement. */
  #checkWrites(): void {
    this.#tries?.write().catch(() => undefined);
  }

  #retakeReserve(): void {
    this.#isReserveReleased = false;
    this.#reserve?.take();
  }

  #checkDisk(): void {
    if (this.#reserve) this.#checkReserve(this.#reserve);
    else void this.#space.isFree(this.#tries?.takeSpace).then((isFree) => isFree && this.#end('disk_full'));
  }

  #checkReserve(reserve: DiskReserve): void {
    if (this.#isReserveReleased) {
      // A change is in progress, or ended without a report. The next check takes the space back.
      this.#isReserveReleased = false;
      return;
    }
    if (reserve.restore()) this.#end('disk_full');
  }

  #countBusyCall(cause: unknown): void {
    this.#busyCalls += 1;
    const now = this.#now();
    if (now - this.#busyReportedAt < BUSY_REPORT_INTERVAL_MS) return;
    this.emit('busy', this.#busyCalls, cause);
    this.#busyCalls = 0;
    this.#busyReportedAt = now;
  }
}

/** Undefined: the database is not to blame. */
function faultOf(error: unknown): Exclude<ProblemKind, 'notifications-lost'> | 'busy' | undefined {
  if (error instanceof DiskFullError) return 'disk-full';
  if (!(error instanceof DatabaseUnavailableError)) return undefined;
  return error.fault === 'unconfirmed' ? 'unreachable' : error.fault;
}
