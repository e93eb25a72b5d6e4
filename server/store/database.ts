import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ApiError } from '../errors.js';
import type { TokenChangeFeed } from '../tokens/token-change-feed.js';
import { DatabaseMonitor } from './availability/database-monitor.js';
import { DiskReserve } from './availability/disk-reserve.js';
import { GuardedDialect } from './availability/guarded-dialect.js';
import { migrations } from './migrations.js';
import { DatabaseError, postgresDialect } from './postgres/postgres-dialect.js';
import { PostgresTokenChangeFeed } from './postgres/postgres-token-change-feed.js';
import type { Schema } from './schema.js';
import { SqliteTokenChangeFeed } from './sqlite/sqlite-token-change-feed.js';

export type Database = Kysely<Schema>;

export const DATABASE_FILE = 'streamgate.db';

/** How long a statement waits for another process's write, in ms: the CLI works beside a running server. */
const BUSY_TIMEOUT_MS = 5_000;

/** The data folder cannot be used. The message says why, and which folder. */
export class DataDirError extends Error {
  override name = 'DataDirError';
}

/** There is no data of Streamgate where it was looked for. The message says where, and what to do. */
export class NoDataError extends Error {
  override name = 'NoDataError';

  /** @param dataDir undefined: the place is the database of DATABASE_URL */
  constructor(dataDir?: string) {
    const [place, next] =
      dataDir === undefined
        ? ['the PostgreSQL database of DATABASE_URL', 'set DATABASE_URL to the database of the server']
        : [resolve(dataDir), 'run the command in the folder of the server, or set DATA_DIR to its data folder'];
    super(`There is no Streamgate data in ${place}. If it is elsewhere, ${next}. To begin here, run: npx streamgate`);
  }
}

let migrating: Promise<void> = Promise.resolve();

/** What watches the database of this configuration, and keeps the reserve of a data folder. */
export function createDatabaseMonitor(dataDir: string, databaseUrl?: string, now?: () => number): DatabaseMonitor {
  return new DatabaseMonitor({ reserve: databaseUrl === undefined ? new DiskReserve(dataDir) : undefined, now });
}

export interface OpenDatabaseOptions {
  /** Is told of every statement. Absent: one of its own, which nobody hears. */
  readonly watch?: DatabaseMonitor;
  /** False: where there is no data, none is made. */
  readonly mayMakeData?: boolean;
}

/**
 * Opens the database: the PostgreSQL one at `databaseUrl` where that is given, else the SQLite file of the data folder.
 * Makes folder and tables that are missing, and brings old tables up to date. Close with `destroy()`.
 *
 * A statement that the database cannot do now fails with a DatabaseUnavailableError or a DiskFullError, within
 * `WAIT_MS` and `ANSWER_MS` of postgres.ts or the time that SQLite waits for another process.
 * @throws {DataDirError}
 * @throws {DatabaseError}
 * @throws {NoDataError} with `mayMakeData: false`
 */
export async function openDatabase(
  dataDir: string,
  databaseUrl?: string,
  { watch = createDatabaseMonitor(dataDir, databaseUrl), mayMakeData = true }: OpenDatabaseOptions = {},
): Promise<Database> {
  const opening = { watch, mayMakeData };
  return databaseUrl === undefined ? await openSqlite(dataDir, opening) : await openPostgres(databaseUrl, opening);
}

/**
 * Refuses a data folder whose database is missing or empty. Changes nothing on disk.
 * @throws {NoDataError}
 */
export function requireDatabaseFile(dataDir: string): void {
  const { size } = statSync(join(dataDir, DATABASE_FILE), { throwIfNoEntry: false }) ?? { size: 0 };
  if (size === 0) throw new NoDataError(dataDir);
}

/** What is changed by others in the same database. */
export function createTokenChangeFeed(db: Database, databaseUrl?: string, watch?: DatabaseMonitor): TokenChangeFeed {
  return databaseUrl === undefined ? new SqliteTokenChangeFeed(db) : new PostgresTokenChangeFeed(databaseUrl, watch);
}

/** The migrator takes a lock of the database's: of several nodes that start at once one migrates, the others wait. */
async function openPostgres(
  databaseUrl: string,
  { watch, mayMakeData }: Required<OpenDatabaseOptions>,
): Promise<Database> {
  // With connections of its own: a migration may take its time.
  const db = new Kysely<Schema>({ dialect: postgresDialect(databaseUrl, { isPatient: true }) });
  try {
    const migrator = new Migrator({
      db,
      provider: { getMigrations: () => Promise.resolve(migrations({ identity: 'postgres' })) },
    });
    if (!mayMakeData && !(await hasData(migrator))) throw new NoDataError();
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } catch (error) {
    throw error instanceof NoDataError ? error : new DatabaseError(error);
  } finally {
    await db.destroy();
  }
  return new Kysely<Schema>({ dialect: new GuardedDialect(postgresDialect(databaseUrl), watch) });
}

/** A write that was answered survives the death of the process and of the machine: the log is synced at every commit. */
async function openSqlite(dataDir: string, { watch, mayMakeData }: Required<OpenDatabaseOptions>): Promise<Database> {
  if (!mayMakeData) requireDatabaseFile(dataDir);
  const sqlite = openFile(dataDir, watch);
  const db = new Kysely<Schema>({ dialect: new GuardedDialect(new SqliteDialect({ database: sqlite }), watch) });
  try {
    // One after the other: waiting for the lock would block the thread that has to free it.
    const turn = migrating.then(() => migrate(db, sqlite, mayMakeData ? undefined : dataDir));
    migrating = turn.catch(() => undefined);
    await turn;
    return db;
  } catch (error) {
    await db.destroy();
    throw error instanceof NoDataError ? error : unusable(dataDir, error);
  }
}

function openFile(dataDir: string, watch: DatabaseMonitor): SqliteDatabase.Database {
  try {
    // Readable to the owner only: tokens and secrets are sealed or hashed, who watches what is not.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const path = join(dataDir, DATABASE_FILE);
    closeSync(openSync(path, 'a', 0o600));
    return connect(path, watch);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

/** SQLite makes its two files beside the database when the first process opens it. On a full disk the reserve pays. */
function connect(path: string, watch: DatabaseMonitor): SqliteDatabase.Database {
  try {
    return connectOnce(path);
  } catch (error) {
    if (!watch.isDiskFull() || !watch.releaseReserve()) throw error;
    try {
      return connectOnce(path);
    } finally {
      watch.takeReserve();
    }
  }
}

function connectOnce(path: string): SqliteDatabase.Database {
  const sqlite = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    // Makes the files now, and not at the first request.
    sqlite.pragma('user_version');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** @param error of the driver, of the file system, or ours with one of them for its cause */
function unusable(dataDir: string, error: unknown): DataDirError {
  const cause = error instanceof ApiError ? error.cause : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DataDirError(`the data folder ${dataDir} cannot be used: ${why}`, { cause: error });
}

/**
 * Two processes may start at once on an empty folder: the second waits for the write lock and finds it done.
 * @param mustHaveData the data folder, where tables must be there already
 */
async function migrate(db: Database, sqlite: SqliteDatabase.Database, mustHaveData?: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations({ identity: 'sqlite' })) },
  });
  if (mustHaveData !== undefined && !(await hasData(migrator))) throw new NoDataError(mustHaveData);
  sqlite.exec('begin immediate');
  const { error } = await migrator.migrateToLatest();
  // SQLite has rolled back by itself where the disk is full: a second time would hide why.
  if (error && sqlite.inTransaction) sqlite.exec('rollback');
  if (error) throw error;
  sqlite.exec('commit');
}

async function hasData(migrator: Migrator): Promise<boolean> {
  return (await migrator.getMigrations()).some(({ executedAt }) => executedAt !== undefined);
}
