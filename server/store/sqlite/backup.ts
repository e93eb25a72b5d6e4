import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NoDataError } from '../database-errors.js';
import { countRows, firstColumn } from './node-sqlite.js';
import { DATABASE_FILE, requireDatabaseFile } from './sqlite-database.js';

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
    throw new BackupError(`the backup ${file} cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
  return exists ? 'the file exists, and an older backup is never overwritten. Choose another name' : cause.message;
}

function copy(dataDir: string, file: string): BackupContents {
  const source = new DatabaseSync(join(dataDir, DATABASE_FILE));
  try {
    const tables = source.prepare("select 1 from sqlite_master where name in ('account', 'token')");
    if (firstColumn(tables).length !== 2) throw new NoDataError(dataDir);
    source.prepare('vacuum into ?').run(file);
  } finally {
    source.close();
  }
  // Counts the rows of the copy, because the server may have written more since.
  const written = new DatabaseSync(file, { readOnly: true });
  try {
    return { accounts: countRows(written, 'account'), tokens: countRows(written, 'token') };
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
