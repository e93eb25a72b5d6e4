import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { DATABASE_FILE, NoDataError, requireDatabaseFile } from '../database.js';

/** The backup could not be written. The message says why, and where. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** How much is in a backup. */
export interface BackupContents {
  readonly accounts: number;
  readonly tokens: number;
}

/**
 * Writes the database of a data folder to a new file, as it is at one moment, while servers go on using it. The file
 * is readable to its owner only; it does not hold the key. On disk when it has answered.
 * @throws {BackupError} also where `file` exists: an older backup is never written over
 * @throws {NoDataError} there is nothing to back up
 */
export function backupDatabase(dataDir: string, file: string): BackupContents {
  requireDatabaseFile(dataDir);
  let made = false;
  try {
    // SQLite accepts an empty file, and one that we made has the rights that we want.
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
  // Counted in the copy: the server may have written more since.
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
