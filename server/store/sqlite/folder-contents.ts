import { statSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { usedRowQuery } from '../used-data.js';
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
    if (error instanceof SqliteDatabase.SqliteError) return undefined;
    throw error;
  }
}

function readContents(file: string): FolderContents | undefined {
  const sqlite = new SqliteDatabase(file, { readonly: true });
  try {
    if (sqlite.prepare(usedRowQuery(tablesOf(sqlite))).get() === undefined) return undefined;
    const rowsOf = (table: 'account' | 'token') =>
      Number(sqlite.prepare(`select count(*) from ${table}`).pluck().get());
    return { accounts: rowsOf('account'), tokens: rowsOf('token') };
  } finally {
    sqlite.close();
  }
}

/** The names of all tables but those of SQLite itself. */
export function tablesOf(sqlite: SqliteDatabase.Database): string[] {
  const names = sqlite.prepare(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
  );
  return names.pluck().all().map(String);
}
