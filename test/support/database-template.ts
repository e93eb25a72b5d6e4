import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../server/store/database.js';
import type { Database } from '../../server/store/schema.js';
import { DATABASE_FILE } from '../../server/store/sqlite/sqlite-database.js';
import { Cleanup } from './cleanup.js';
import { dataFolder } from './data-folder.js';

/**
 * Makes one database with the tables of the server, and puts copies of it into data folders that have none. To copy one
 * is faster than to migrate one.
 * @param prepare changes the database that all are copies of
 */
export function databaseTemplate(prepare?: (db: Database) => Promise<void>): (dataDir: string) => Promise<void> {
  let template: Promise<Buffer> | undefined;
  const migrated = async (): Promise<Buffer> => {
    const cleanup = new Cleanup();
    try {
      const folder = await dataFolder(cleanup);
      const db = await openDatabase(folder);
      await prepare?.(db);
      await db.destroy();
      return await readFile(join(folder, DATABASE_FILE));
    } finally {
      await cleanup.run();
    }
  };
  return async (dataDir) => {
    template ??= migrated();
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    try {
      await writeFile(join(dataDir, DATABASE_FILE), await template, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  };
}

/** Puts an empty database with the tables of the server into a data folder that has none. */
export const putMigratedDatabase = databaseTemplate();
