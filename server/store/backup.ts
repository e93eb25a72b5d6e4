import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { DATABASE_FILE } from './database.js';

/** The backup could not be written. The message says why, and where. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/**
 * Writes the database of a data folder to a new file, as it is at one moment, while servers go on using it. The file
 * is readable to its owner only; it does not hold the key. On disk when it has answered.
 * @throws {BackupError} also where `file` exists: an older backup is never written over
 */
export function backupDatabase(dataDir: string, file: string): void {
  let made = false;
  try {
    // SQLite accepts an empty file, and one that we made has the rights that we want.
    closeSync(openSync(file, 'wx', 0o600));
    made = true;
    const sqlite = new SqliteDatabase(join(dataDir, DATABASE_FILE), { fileMustExist: true });
    try {
      sqlite.prepare('vacuum into ?').run(file);
    } finally {
      sqlite.close();
    }
    sync(file);
  } catch (cause) {
    if (made) rmSync(file, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackupError(`the backup ${file} cannot be written: ${why}`, { cause });
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
