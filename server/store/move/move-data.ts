import { Kysely } from 'kysely';
import { verifyServerKeys, type KeySource } from '../keys/server-keys.js';
import { MIGRATIONS, postgresDialect } from '../postgres/postgres-dialect.js';
import { openPostgres } from '../postgres/postgres-database.js';
import type { Schema } from '../schema.js';
import { DatabaseMonitor } from '../availability/database-monitor.js';
import { FolderSource } from './folder-source.js';
import { MoveError } from './move-error.js';
import { PostgresTarget } from './postgres-target.js';
import { RowDigest, type Row } from './row-digest.js';

/** What one INSERT takes, at most. */
const BATCH_ROWS = 2_000;
const BATCH_CHARACTERS = 1_000_000;

export interface MoveOptions {
  readonly source: KeySource;
  /** Of the PostgreSQL database. */
  readonly databaseUrl: string;
  /** Called for each batch. */
  readonly onProgress?: (progress: MoveProgress) => void;
}

export interface MoveProgress {
  readonly step: 'copy' | 'compare';
  readonly rows: number;
  /** All rows of the data folder. */
  readonly of: number;
}

export interface MovedData {
  /** The number of rows by table. */
  readonly tables: Readonly<Record<string, number>>;
  readonly rows: number;
}

/**
 * Copies all data of a data folder to an empty PostgreSQL database, with its ids, in one transaction. Before it ends,
 * every row is read back and compared, and the key is tried. The data folder stays as it is, and is locked meanwhile.
 * @throws {NoDataError} @throws {DataDirError} @throws {EncryptionKeyError} @throws {DatabaseError} @throws {MoveError}
 */
export async function moveData({ source, databaseUrl, onProgress }: MoveOptions): Promise<MovedData> {
  const folder = FolderSource.open(source.dataDir);
  try {
    await verifyServerKeys(folder.db, source);
    // Creates the tables, if there are none.
    const monitor = new DatabaseMonitor();
    await (await openPostgres(databaseUrl, { monitor, mayMakeData: true })).destroy();
    const db = new Kysely<Schema>({ dialect: postgresDialect(databaseUrl, MIGRATIONS) });
    try {
      return await db.transaction().execute(async (trx) => {
        const moved = await copyAll(folder, new PostgresTarget(trx), onProgress);
        await verifyServerKeys(trx, source);
        return moved;
      });
    } catch (error) {
      if (error instanceof MoveError) throw error;
      throw new MoveError('move_failed', `The data could not be moved: ${textOf(error)}`, { cause: error });
    } finally {
      await db.destroy();
    }
  } finally {
    await folder.close();
  }
}

async function copyAll(
  folder: FolderSource,
  target: PostgresTarget,
  onProgress: MoveOptions['onProgress'],
): Promise<MovedData> {
  await target.takeOver();
  const { tables } = folder;
  await target.setTriggers(tables, 'disable');
  await target.empty(tables);
  const of = tables.reduce((sum, table) => sum + folder.countOf(table), 0);
  const copied = new Map<string, RowDigest>();
  let rows = 0;
  for (const table of tables) {
    const types = await columnTypes(folder, target, table);
    const digest = new RowDigest();
    copied.set(table, digest);
    for (const batch of batchesOf(folder.rowsOf(table, [...types.keys()]))) {
      for (const row of batch) digest.add(row);
      await target.insert(table, types, batch).catch((error: unknown) => {
        throw notStored(table, error);
      });
      onProgress?.({ step: 'copy', rows: (rows += batch.length), of });
    }
    const lastId = folder.lastIdOf(table);
    if (lastId) await target.continueIds(table, lastId);
  }
  await target.setTriggers(tables, 'enable');
  await compare(folder, target, copied, (compared) => onProgress?.({ step: 'compare', rows: compared, of }));
  return { tables: Object.fromEntries([...copied].map(([table, digest]) => [table, digest.rows])), rows };
}

/** Reads every row back. @throws {MoveError} `move_failed` */
async function compare(
  folder: FolderSource,
  target: PostgresTarget,
  copied: ReadonlyMap<string, RowDigest>,
  onRows: (rows: number) => void,
): Promise<void> {
  let rows = 0;
  for (const [table, expected] of copied) {
    const found = new RowDigest();
    for await (const row of target.rowsOf(table, folder.columnsOf(table))) {
      found.add(row);
      rows += 1;
      if (rows % BATCH_ROWS === 0) onRows(rows);
    }
    if (found.equals(expected) && found.rows === folder.countOf(table)) continue;
    throw new MoveError(
      'move_failed',
      `The table ${table} has other rows in the database than in the data folder (${found.rows} and ${expected.rows}).`,
    );
  }
}

/** The message of PostgreSQL shows a value that does not fit, and no other. */
function notStored(table: string, cause: unknown): MoveError {
  return new MoveError('move_failed', `The rows of the table ${table} could not be stored: ${textOf(cause)}`, {
    cause,
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The columns of a table in the order of the folder, with their types in PostgreSQL. @throws {MoveError} `move_failed` */
async function columnTypes(
  folder: FolderSource,
  target: PostgresTarget,
  table: string,
): Promise<ReadonlyMap<string, string>> {
  const types = await target.typesOf(table);
  return new Map(
    folder.columnsOf(table).map((column) => {
      const type = types.get(column);
      if (type === undefined) throw new MoveError('move_failed', `The database has no column ${table}.${column}.`);
      return [column, type];
    }),
  );
}

function* batchesOf(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    for (const cell of row) if (typeof cell === 'string') characters += cell.length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
