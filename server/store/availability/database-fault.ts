import pg from 'pg';
import { ApiError, DatabaseUnavailableError, DiskFullError } from '../../errors.js';
import { isSqliteError, ResultCode, resultCode, type SqliteError } from '../../sqlite-error.js';

/** The SQLSTATE of a write that is forbidden in a read-only transaction. */
export const READ_ONLY = '25006';

/** What is known about the statement that failed. */
export interface FailedStatement {
  /** True for a commit and for a write outside a transaction: if only the answer was lost, the change is saved. */
  readonly saves: boolean;
  /** Whether the disk of the data folder is full. Called only when SQLite does not report why it could not write. */
  readonly isDiskFull?: (() => boolean) | undefined;
}

/**
 * Translates an error of a driver. Returns an ApiError if the database is unreachable, too slow, read-only, or out of
 * disk space. Returns every other error unchanged: it is a fault of this server, such as a violated constraint.
 */
export function databaseFault(error: unknown, { saves, isDiskFull }: FailedStatement): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  if (error instanceof pg.DatabaseError) return postgresFault(error);
  if (isSqliteError(error)) return sqliteFault(error, isDiskFull);
  // node-postgres gives its own timeouts and a lost connection no code. Programming errors are of other classes.
  if (error instanceof TypeError || error instanceof RangeError || isMisuse(error)) return error;
  return new DatabaseUnavailableError({ fault: saves ? 'unconfirmed' : 'unreachable', cause: error });
}

/** By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function postgresFault(error: pg.DatabaseError): Error {
  const { code = '' } = error;
  if (code === '53100') return new DiskFullError({ cause: error });
  if (BUSY_STATES.has(code)) return new DatabaseUnavailableError({ fault: 'busy', cause: error });
  if (code === READ_ONLY) return new DatabaseUnavailableError({ fault: 'read-only', cause: error });
  const unavailable = UNAVAILABLE_CLASSES.some((start) => code.startsWith(start)) || UNAVAILABLE_STATES.has(code);
  return unavailable ? new DatabaseUnavailableError({ cause: error }) : error;
}

/** Statement timeout, lock timeout, serialization failure, deadlock. */
const BUSY_STATES: ReadonlySet<string> = new Set(['57014', '55P03', '40001', '40P01']);
/** Classes: connection lost, authorization refused, out of resources, stopped by an operator, system error. */
const UNAVAILABLE_CLASSES = ['08', '28', '53', '57P', '58'];
/** States: idle transaction ended, unknown database. */
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set(['25P03', '3D000']);

function sqliteFault(error: SqliteError, isDiskFull: (() => boolean) | undefined): Error {
  const code = resultCode(error);
  if (code === ResultCode.full) return new DiskFullError({ cause: error });
  if (code === ResultCode.busy || code === ResultCode.locked)
    return new DatabaseUnavailableError({ fault: 'busy', cause: error });
  if (!UNUSABLE_FILE.has(code)) return error;
  if (isDiskFull?.()) return new DiskFullError({ cause: error });
  return new DatabaseUnavailableError({
    fault: code === ResultCode.readOnly ? 'read-only' : 'unreachable',
    cause: error,
  });
}

/** SQLite could not read or write its files. */
const UNUSABLE_FILE: ReadonlySet<number> = new Set([
  ResultCode.inputOrOutput,
  ResultCode.cannotOpen,
  ResultCode.readOnly,
  ResultCode.protocol,
  ResultCode.corrupt,
  ResultCode.notADatabase,
]);

/** Whether the program used a closed database (node:sqlite) or an aborted transaction (Kysely). */
function isMisuse(error: Error): boolean {
  return ('code' in error && error.code === 'ERR_INVALID_STATE') || error.name === 'AbortedTransactionError';
}
