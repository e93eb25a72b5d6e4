import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { isSqliteError, ResultCode, resultCode } from '../../sqlite-error.js';
import { DataDirError, NoDataError } from '../database-errors.js';
import { migrationNames } from '../migrations.js';
import type { Database, Schema } from '../schema.js';
import { tablesOf } from '../sqlite/folder-contents.js';
import { arrays, countRows, firstColumn, sqliteDialect } from '../sqlite/node-sqlite.js';
import { DATABASE_FILE, requireDatabaseFile } from '../sqlite/sqlite-database.js';
import { MoveError } from './move-error.js';
import type { Cell, Row } from './row-digest.js';
import { inOrderOfReferences } from './table-order.js';

/** How long another command may keep the lock, in ms. */
const BUSY_TIMEOUT_MS = 1_000;

/** PostgreSQL stores no NUL in a text. Strangers can put one into the refusal log. */
const NUL = /\0/g;
const REPLACEMENT = '\ufffd';

const MIGRATION_TABLES: ReadonlySet<string> = new Set(['kysely_migration', 'kysely_migration_lock', 'schema_version']);

/** The SQLite database of a data folder, to read all of it. No other process can open it meanwhile. */
export class FolderSource {
  readonly db: Database;
  /** Each table after those that it refers to. */
  readonly tables: readonly string[];
  readonly #sqlite: DatabaseSync;

  /**
   * @throws {NoDataError} @throws {DataDirError}
   * @throws {MoveError} `data_folder_in_use`, `data_folder_version`
   */
  static open(dataDir: string): FolderSource {
    requireDatabaseFile(dataDir);
    const sqlite = openLocked(dataDir);
    try {
      requireVersion(dataDir, sqlite);
      return new FolderSource(sqlite);
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }

  private constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
    this.db = new Kysely<Schema>({ dialect: sqliteDialect(sqlite) });
    const references = sqlite.prepare('select "table" from pragma_foreign_key_list(?)');
    const names = tablesOf(sqlite).filter((name) => !MIGRATION_TABLES.has(name));
    this.tables = inOrderOfReferences(
      names.map((name) => ({ name, refersTo: firstColumn(references, name).map(String) })),
    );
  }

  columnsOf(table: string): string[] {
    return firstColumn(this.#sqlite.prepare('select name from pragma_table_info(?)'), table).map(String);
  }

  countOf(table: string): number {
    return countRows(this.#sqlite, table);
  }

  *rowsOf(table: string, columns: readonly string[]): Generator<Row> {
    const select = this.#sqlite.prepare(`select ${columns.map((name) => `"${name}"`).join(', ')} from "${table}"`);
    for (const row of arrays(select).iterate()) yield (row as Cell[]).map(withoutNul);
  }

  /** The greatest id that a table ever gave: no id is used twice, also after rows were deleted. */
  lastIdOf(table: string): number | undefined {
    const [found] = firstColumn(this.#sqlite.prepare('select seq from sqlite_sequence where name = ?'), table);
    return found === undefined ? undefined : Number(found);
  }

  async close(): Promise<void> {
    if (this.#sqlite.isTransaction) this.#sqlite.exec('rollback');
    await this.db.destroy();
  }
}

/** SQLite gives the exclusive lock of a database in WAL mode only when no other connection is open. */
function openLocked(dataDir: string): DatabaseSync {
  const sqlite = new DatabaseSync(join(dataDir, DATABASE_FILE), { timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.exec('pragma locking_mode = exclusive');
    sqlite.exec('begin immediate');
    return sqlite;
  } catch (error) {
    sqlite.close();
    if (!isSqliteError(error)) throw error;
    if (resultCode(error) === ResultCode.busy || resultCode(error) === ResultCode.locked) {
      const message = `Another process uses the data folder ${dataDir}. Stop the server, and run the command again.`;
      throw new MoveError('data_folder_in_use', message, { cause: error });
    }
    throw new DataDirError(`the data folder ${dataDir} cannot be used: ${error.message}`, { cause: error });
  }
}

/** The tables of the folder must be those of this version. */
function requireVersion(dataDir: string, sqlite: DatabaseSync): void {
  if (!tablesOf(sqlite).includes('kysely_migration')) throw new NoDataError(dataDir);
  const done = new Set(firstColumn(sqlite.prepare('select name from kysely_migration')));
  if (done.size === migrationNames.length && migrationNames.every((name) => done.has(name))) return;
  throw new MoveError(
    'data_folder_version',
    `The data folder ${dataDir} was last used by another version. Start the server of this version on it once, without DATABASE_URL, stop it, and run the command again.`,
  );
}

function withoutNul(cell: Cell): Cell {
  return typeof cell === 'string' ? cell.replace(NUL, REPLACEMENT) : cell;
}
