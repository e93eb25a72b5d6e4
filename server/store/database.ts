import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { TokenChanges } from '../tokens/token-changes.js';
import { migrations } from './migrations.js';
import { DatabaseError, postgresDialect } from './postgres.js';
import { PostgresTokenChanges } from './postgres-token-changes.js';
import type { Schema } from './schema.js';
import { SqliteTokenChanges } from './sqlite-token-changes.js';

export type Database = Kysely<Schema>;

export const DATABASE_FILE = 'streamgate.db';

/** How long a statement waits for another process's write, in ms: the CLI works beside a running server. */
const BUSY_TIMEOUT_MS = 5_000;

/** The data folder cannot be used. The message says why, and which folder. */
export class DataDirError extends Error {
  override name = 'DataDirError';
}

let migrating: Promise<void> = Promise.resolve();

/**
 * Opens the database: the PostgreSQL one at `databaseUrl` where that is given, else the SQLite file of the data folder.
 * Makes folder and tables that are missing, and brings old tables up to date. Close with `destroy()`.
 * @throws {DataDirError}
 * @throws {DatabaseError}
 */
export async function openDatabase(dataDir: string, databaseUrl?: string): Promise<Database> {
  return databaseUrl === undefined ? await openSqlite(dataDir) : await openPostgres(databaseUrl);
}

/** What is changed by others in the same database. */
export function tokenChanges(db: Database, databaseUrl?: string): TokenChanges {
  return databaseUrl === undefined ? new SqliteTokenChanges(db) : new PostgresTokenChanges(databaseUrl);
}

/** The migrator takes a lock of the database's: of several nodes that start at once one migrates, the others wait. */
async function openPostgres(databaseUrl: string): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: postgresDialect(databaseUrl) });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations({ identity: 'postgres' })) },
  });
  const { error } = await migrator.migrateToLatest();
  if (!error) return db;
  await db.destroy();
  throw new DatabaseError(error);
}

/** A write that was answered survives the death of the process and of the machine: the log is synced at every commit. */
async function openSqlite(dataDir: string): Promise<Database> {
  const sqlite = openFile(dataDir);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) });
  try {
    // One after the other: waiting for the lock would block the thread that has to free it.
    const turn = migrating.then(() => migrate(db, sqlite));
    migrating = turn.catch(() => undefined);
    await turn;
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function openFile(dataDir: string): SqliteDatabase.Database {
  try {
    // Readable to the owner only: tokens and secrets are sealed or hashed, who watches what is not.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const path = join(dataDir, DATABASE_FILE);
    closeSync(openSync(path, 'a', 0o600));
    const sqlite = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT_MS });
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    return sqlite;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DataDirError(`the data folder ${dataDir} cannot be used: ${why}`, { cause: error });
  }
}

/** Two processes may start at once on an empty folder: the second waits for the write lock and finds it done. */
async function migrate(db: Database, sqlite: SqliteDatabase.Database): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations({ identity: 'sqlite' })) },
  });
  sqlite.exec('begin immediate');
  const { error } = await migrator.migrateToLatest();
  sqlite.exec(error ? 'rollback' : 'commit');
  if (error) throw error;
}
