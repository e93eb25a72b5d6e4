import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteError, ResultCode, resultCode } from './sqlite-error.js';

/**
 * A folder that one server uses at a time. SQLite locks a file of the folder, also between servers of one process, and
 * the operating system unlocks it when the process ends, whatever ends it.
 */
export class FolderLock {
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync) {
    this.#file = file;
  }

  /**
   * @param lockFile its name. It is created, and stays.
   * @returns undefined if another server has the folder
   * @throws {Error} the file cannot be written, or its file system has no locks
   */
  static take(folder: string, lockFile: string): FolderLock | undefined {
    const file = new DatabaseSync(join(folder, lockFile), { timeout: 0 });
    try {
      // Nothing is ever written: the transaction is the lock. SQLite would write its journal on a disk that may be full.
      file.exec('PRAGMA journal_mode = memory; BEGIN EXCLUSIVE');
      return new FolderLock(file);
    } catch (error) {
      file.close();
      if (isSqliteError(error) && resultCode(error) === ResultCode.busy) return undefined;
      throw error;
    }
  }

  release(): void {
    this.#file.close();
  }
}
