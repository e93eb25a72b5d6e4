import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { ApiError, DatabaseUnavailableError, DiskFullError } from '../../errors.js';

/** Where a statement stood when it failed. */
export interface FailedStatement {
  /** If it was done although its answer was lost, it is saved: a commit, or a write outside a transaction. */
  readonly saves: boolean;
  /** Whether the disk of the data folder has no room. Asked only where SQLite does not say why it could not write. */
  readonly isDiskFull?: (() => boolean) | undefined;
}

/**
 * Reads an error of a driver. The answer is one for the caller where the database cannot do its work now: it is gone,
 * too slow, or its disk is full. Every other error stays what it is: a fault of ours, such as a broken constraint.
 */
export function databaseFault(error: unknown, { saves, isDiskFull }: FailedStatement): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) return postgresFault(error);
  if (error instanceof SqliteDatabase.SqliteError) return sqliteFault(error, isDiskFull);
  // The driver of PostgreSQL gives its own timeouts and a lost connection no code. Mistakes in a program are others.
  if (error instanceof TypeError || error instanceof RangeError || isMisuse(error)) return error;
  return new DatabaseUnavailableError({ outcomeUnknown: saves, cause: error });
}

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function postgresFault(error: pg.DatabaseError): Error {
  const { code = '' } = error;
  if (code === '53100') return new DiskFullError({ cause: error });
  if (BUSY_STATES.has(code)) return new DatabaseUnavailableError({ isBusy: true, cause: error });
  const gone = UNAVAILABLE_CLASSES.some((start) => code.startsWith(start)) || UNAVAILABLE_STATES.has(code);
  return gone ? new DatabaseUnavailableError({ cause: error }) : error;
}

/** A statement took too long, waited too long for a lock, or lost against another one. */
const BUSY_STATES: ReadonlySet<string> = new Set(['57014', '55P03', '40001', '40P01']);
/** Connection lost, authorization refused, out of resources, stopped by an operator, a fault of the system. */
const UNAVAILABLE_CLASSES = ['08', '28', '53', '57P', '58'];
/** A transaction that stood still; a standby that takes no writes; a database that is gone. */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set(['25P03', '25006', '3D000']);

/** By result code: https://www.sqlite.org/rescode.html */
function sqliteFault(error: InstanceType<SqliteDatabase.SqliteError>, isDiskFull: (() => boolean) | undefined): Error {
  const { code } = error;
  if (code === 'SQLITE_FULL') return new DiskFullError({ cause: error });
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return new DatabaseUnavailableError({ isBusy: true, cause: error });
  if (!/^SQLITE_(IOERR|CANTOPEN|READONLY|PROTOCOL|CORRUPT|NOTADB)/.test(code)) return error;
  return isDiskFull?.() ? new DiskFullError({ cause: error }) : new DatabaseUnavailableError({ cause: error });
}

/** What better-sqlite3 throws for a closed database, and Kysely for a transaction that was given up. */
function isMisuse({ name, message }: Error): boolean {
  return message === 'The database connection is not open' || name === 'AbortedTransactionError';
}
