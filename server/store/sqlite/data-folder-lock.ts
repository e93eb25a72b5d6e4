import { mkdirSync } from 'node:fs';
import { FolderLock } from '../../folder-lock.js';
import { DataDirError, DataFolderInUseError } from '../database-errors.js';

/** Beside the database, so that commands can use the database meanwhile. */
const LOCK_FILE = 'server.lock';

/**
 * Takes a data folder for one server, before anything in it is read or changed: a server knows in memory which names are
 * published and who watches with a token, and another on the same folder would admit them again. Commands do not take it.
 * @throws {DataFolderInUseError} another server has it
 * @throws {DataDirError}
 */
export function lockDataFolder(dataDir: string): FolderLock {
  const lock = take(dataDir);
  if (lock) return lock;
  throw new DataFolderInUseError(dataDir);
}

function take(dataDir: string): FolderLock | undefined {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return FolderLock.take(dataDir, LOCK_FILE);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataDirError(`the data folder ${dataDir} cannot be used: ${why}`, { cause });
  }
}
