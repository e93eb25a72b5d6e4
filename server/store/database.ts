import { sql } from 'kysely';
import type { TokenChangeFeed } from '../tokens/token-follower.js';
import { DatabaseMonitor } from './availability/database-monitor.js';
import { DiskReserve } from './availability/disk-reserve.js';
import { notify, openPostgres, takePostgresSpace } from './postgres/postgres-database.js';
import { PostgresTokenChangeFeed } from './postgres/postgres-token-change-feed.js';
import type { RowFaults } from './rows/row-faults.js';
import type { Database } from './schema.js';
import { openSqlite, SERVER_BUSY_TIMEOUT_MS } from './sqlite/sqlite-database.js';
import { SqliteTokenChangeFeed } from './sqlite/sqlite-token-change-feed.js';

/** The monitor of the configured database. For a data folder it also keeps the disk reserve. */
export function createDatabaseMonitor(dataDir: string, databaseUrl?: string, now?: () => number): DatabaseMonitor {
  return new DatabaseMonitor({ reserve: databaseUrl === undefined ? new DiskReserve(dataDir) : undefined, now });
}

export interface OpenDatabaseOptions {
  /** Observes every statement. By default a monitor without listeners. */
  readonly monitor?: DatabaseMonitor;
  /** False: fails with NoDataError where there is no data. By default the data is created. */
  readonly mayMakeData?: boolean;
  /** Collects the rows that cannot be read. Absent: nobody wants to know of them. */
  readonly faults?: RowFaults | undefined;
  /** How long a statement waits for a write of another process to the same SQLite file, in ms. By default 5,000. */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens the PostgreSQL database at `databaseUrl`, or the SQLite file of the data folder if there is no URL. Creates
 * the folder and the tables that are missing, and migrates older tables. Close with `destroy()`.
 *
 * A statement that the database cannot execute now fails with a DatabaseUnavailableError or a DiskFullError. On
 * PostgreSQL that takes at most `WAIT_MS` and `ANSWER_MS` (postgres-dialect.ts), on SQLite its busy timeout.
 * @throws {DataDirError}
 * @throws {DatabaseError}
 * @throws {NoDataError} with `mayMakeData: false`
 */
export async function openDatabase(
  dataDir: string,
  databaseUrl?: string,
  {
    monitor = createDatabaseMonitor(dataDir, databaseUrl),
    mayMakeData = true,
    faults,
    busyTimeoutMs = SERVER_BUSY_TIMEOUT_MS,
  }: OpenDatabaseOptions = {},
): Promise<Database> {
  const db =
    databaseUrl === undefined
      ? await openSqlite(dataDir, { monitor, mayMakeData, busyTimeoutMs })
      : await openPostgres(databaseUrl, { monitor, mayMakeData });
  const takeSpace = databaseUrl === undefined ? undefined : () => takePostgresSpace(db);
  monitor.tryWith({ write: () => writeNothing(db), takeSpace });
  return faults ? db.withPlugin(faults) : db;
}

/** A write that changes nothing. A database that is read-only refuses it nevertheless. */
async function writeNothing(db: Database): Promise<void> {
  await db
    .deleteFrom('account')
    .where(sql`1`, '=', sql`0`)
    .execute();
}

/** Reports the tokens that other processes change in the same database. */
export function createTokenChangeFeed(db: Database, databaseUrl?: string, monitor?: DatabaseMonitor): TokenChangeFeed {
  if (databaseUrl === undefined) return new SqliteTokenChangeFeed(db);
  return new PostgresTokenChangeFeed({ databaseUrl, monitor, notify: (channel) => notify(db, channel) });
}
