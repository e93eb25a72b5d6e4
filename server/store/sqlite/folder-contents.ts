import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteError } from '../../sqlite-error.js';
import { usedRowQuery } from '../used-data.js';
import { countRows, firstColumn } from './node-sqlite.js';
import { DATABASE_FILE } from './sqlite-database.js';

export interface FolderContents {
  readonly accounts: number;
  readonly tokens: number;
}

/**
 * What is in the SQLite database of a data folder that a server does not use.
 * @returns undefined: there is none, nobody has used it, or it cannot be read
 */
export function usedFolderContents(dataDir: string): FolderContents | undefined {
  const file = join(dataDir, DATABASE_FILE);
  if (!statSync(file, { throwIfNoEntry: false })?.size) return undefined;
  try {
    return readContents(file);
  } catch (error) {
    if (isSqliteError(error)) return undefined;
    throw error;
  }
}

function readContents(file: string): FolderContents | undefined {
  const sqlite = new DatabaseSync(file, { readOnly: true });
  try {
    if (sqlite.prepare(usedRowQuery(tablesOf(sqlite))).get() === undefined) return undefined;
    return { accounts: countRows(sqlite, 'account'), tokens: countRows(sqlite, 'token') };
  } finally {
    sqlite.close();
  }
}

/** The names of all tables but those of SQLite itself. */
export function tablesOf(sqlite: DatabaseSync): string[] {
  const names = sqlite.prepare(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
  );
  return firstColumn(names).map(String);
}
