import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { DATABASE_FILE, requireDatabaseFile } from '../sqlite/sqlite-database.js';
import { NoDataError } from '../database-errors.js';

/** The backup could not be written. The message names the file and the reason. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** The number of rows in a backup. */
export interface BackupContents {
  readonly accounts: number;
  readonly tokens: number;
}

/**
 * Writes a consistent copy of the database of a data folder to a new file, while servers use the database. Only the
 * owner can read the file. It does not contain the key. The file is synced to disk when the function returns.
 * @throws {BackupError} the file cannot be written, or exists: an older backup is never overwritten
 * @throws {NoDataError} the data folder has no data
 */
export function backupDatabase(dataDir: string, file: string): BackupContents {
  requireDatabaseFile(dataDir);
  let made = false;
  try {
    // Created here for its permissions. SQLite accepts an empty file.
    closeSync(openSync(file, 'wx', 0o600));
    made = true;
    const contents = copy(dataDir, file);
    sync(file);
    return contents;
  } catch (cause) {
    if (made) rmSync(file, { force: true });
    if (cause instanceof NoDataError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackupError(`the backup ${file} cannot be written: ${why}`, { cause });
  }
}

function copy(dataDir: string, file: string): BackupContents {
  const source = new SqliteDatabase(join(dataDir, DATABASE_FILE), { fileMustExist: true });
  try {
    const tables = source.prepare("select count(*) from sqlite_master where name in ('account', 'token')").pluck();
    if (tables.get() !== 2) throw new NoDataError(dataDir);
    source.prepare('vacuum into ?').run(file);
  } finally {
    source.close();
  }
  // Counts the rows of the copy, because the server may have written more since.
  const written = new SqliteDatabase(file, { readonly: true });
  try {
    const rowsOf = (table: 'account' | 'token') =>
      Number(written.prepare(`select count(*) from ${table}`).pluck().get());
    return { accounts: rowsOf('account'), tokens: rowsOf('token') };
  } finally {
    written.close();
  }
}

function sync(file: string): void {
  const opened = openSync(file, 'r+');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
