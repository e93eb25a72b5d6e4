import { closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ApiError } from '../../errors.js';
import type { DatabaseMonitor } from '../availability/database-monitor.js';
import { GuardedDialect } from '../availability/guarded-dialect.js';
import { DataDirError, NoDataError } from '../database-errors.js';
import { hasData, migrateToLatest, migrationProvider, needsMigration } from '../migrations.js';
import type { Database, Schema } from '../schema.js';
import { sqliteDialect } from './node-sqlite.js';

export const DATABASE_FILE = 'streamgate.db';

/**
 * How long a statement of a server waits for a write of another process, in ms. It blocks the thread for that time, so
 * a server refuses the request rather than wait longer.
 */
export const SERVER_BUSY_TIMEOUT_MS = 5_000;

/**
 * How long a statement of a command waits beside a running server, in ms. A write takes seconds while the disk is busy
 * with the files of other programs, and a person rather waits than types the command again.
 */
export const COMMAND_BUSY_TIMEOUT_MS = 30_000;

/** Migrations of this process run one after the other: waiting for SQLite's lock blocks the thread that would release it. */
let lastMigration: Promise<void> = Promise.resolve();

/**
 * Refuses a data folder whose database is missing or empty. Changes nothing on disk.
 * @throws {NoDataError}
 */
export function requireDatabaseFile(dataDir: string): void {
  const { size } = statSync(join(dataDir, DATABASE_FILE), { throwIfNoEntry: false }) ?? { size: 0 };
  if (size === 0) throw new NoDataError(dataDir);
}

/**
 * Opens the database file of the data folder and migrates it. The log is synced at every commit, so a write that was
 * acknowledged survives the death of the process and of the machine.
 * @throws {DataDirError}
 * @throws {NoDataError} with `mayMakeData: false`
 */
export async function openSqlite(
  dataDir: string,
  {
    monitor,
    mayMakeData,
    busyTimeoutMs,
  }: { readonly monitor: DatabaseMonitor; readonly mayMakeData: boolean; readonly busyTimeoutMs: number },
): Promise<Database> {
  if (!mayMakeData) requireDatabaseFile(dataDir);
  const sqlite = openFile(dataDir, monitor, busyTimeoutMs);
  const db = new Kysely<Schema>({ dialect: new GuardedDialect(sqliteDialect(sqlite), monitor) });
  try {
    const migration = lastMigration.then(() => migrate(db, sqlite, mayMakeData ? undefined : dataDir));
    lastMigration = migration.catch(() => undefined);
    await migration;
    return db;
  } catch (error) {
    await db.destroy();
    throw error instanceof NoDataError ? error : unusable(dataDir, error);
  }
}

function openFile(dataDir: string, monitor: DatabaseMonitor, busyTimeoutMs: number): DatabaseSync {
  try {
    // Readable by the owner only. Tokens and secrets are sealed or hashed, but the refusal log names addresses.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const path = join(dataDir, DATABASE_FILE);
    closeSync(openSync(path, 'a', 0o600));
    return connect(path, monitor, busyTimeoutMs);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

/** The first process creates SQLite's two files beside the database. On a full disk the reserve gives up the space. */
function connect(path: string, monitor: DatabaseMonitor, busyTimeoutMs: number): DatabaseSync {
  try {
    return connectOnce(path, busyTimeoutMs);
  } catch (error) {
    if (!monitor.isDiskFull() || !monitor.releaseReserve()) throw error;
    try {
      return connectOnce(path, busyTimeoutMs);
    } finally {
      monitor.takeReserve();
    }
  }
}

function connectOnce(path: string, timeout: number): DatabaseSync {
  const sqlite = new DatabaseSync(path, { timeout });
  try {
    sqlite.exec('pragma journal_mode = wal');
    sqlite.exec('pragma synchronous = full');
    sqlite.exec('pragma foreign_keys = on');
    // Creates the files now instead of at the first request.
    sqlite.exec('pragma user_version');
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** @param error of the driver or the file system, or an error of ours with one of those as its cause */
function unusable(dataDir: string, error: unknown): DataDirError {
  const cause = error instanceof ApiError ? error.cause : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new DataDirError(`the data folder ${dataDir} cannot be used: ${why}`, { cause: error });
}

/**
 * When two processes start at once on an empty folder, the second waits for the write lock and finds the tables made.
 * With up-to-date tables it takes no lock, so that opening waits for no other process.
 * @param requiredDataDir the data folder, where the tables must exist already
 */
async function migrate(db: Database, sqlite: DatabaseSync, requiredDataDir?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: migrationProvider('sqlite') });
  if (requiredDataDir !== undefined && !(await hasData(migrator))) throw new NoDataError(requiredDataDir);
  if (!(await needsMigration(migrator, db))) return;
  sqlite.exec('begin immediate');
  try {
    await migrateToLatest(migrator, db);
    sqlite.exec('commit');
  } catch (error) {
    // On a full disk SQLite has rolled back by itself. A second rollback would fail and hide the reason.
    if (sqlite.isTransaction) sqlite.exec('rollback');
    throw error;
  }
}
