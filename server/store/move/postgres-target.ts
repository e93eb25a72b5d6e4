import pg from 'pg';
import { sql, type RawBuilder } from 'kysely';
import { migrationNames } from '../migrations.js';
import { isPostgresUsed, postgresTables } from '../postgres/postgres-tables.js';
import type { Database } from '../schema.js';
import { MoveError } from './move-error.js';
import type { Cell, Row } from './row-digest.js';

const ROWS_READ_AT_ONCE = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Writes and reads all tables of a PostgreSQL database, in one transaction that locks them. */
export class PostgresTarget {
  readonly #trx: Database;

  /** @param trx a transaction */
  constructor(trx: Database) {
    this.#trx = trx;
  }

  /**
   * Locks all tables, so that no server works with them before the transaction has ended.
   * @throws {MoveError} `database_in_use`, `database_not_empty`, `data_folder_version`
   */
  async takeOver(): Promise<void> {
    await sql`set local lock_timeout = '5s'`.execute(this.#trx);
    await sql`set local statement_timeout = 0`.execute(this.#trx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(this.#trx);
    const tables = await postgresTables(this.#trx);
    const inUse = (cause?: unknown) => {
      const message = 'A server uses the database. Stop every server on it, and run the command again.';
      return new MoveError('database_in_use', message, { cause });
    };
    try {
      await sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in access exclusive mode`.execute(
        this.#trx,
      );
    } catch (error) {
      throw error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE ? inUse(error) : error;
    }
    const { rows: nodes } = await sql`
      select 1 from node where heartbeat > clock_timestamp() - interval '10 seconds'`.execute(this.#trx);
    if (nodes.length > 0) throw inUse();
    if (await isPostgresUsed(this.#trx)) {
      throw new MoveError('database_not_empty', 'The database has data already. Use an empty database.');
    }
    const { rows: migrations } = await sql`select name from kysely_migration`.execute(this.#trx);
    if (migrations.length !== migrationNames.length) {
      throw new MoveError('data_folder_version', 'The database was last used by a later version. Use that version.');
    }
  }

  /** @param tables each after those that it refers to */
  async empty(tables: readonly string[]): Promise<void> {
    for (const table of [
      'stream_end',
      'stream_status',
      'stream_lease',
      'node',
      'lost_node',
      'relay_key',
      ...tables.toReversed(),
    ]) {
      await sql`delete from ${sql.table(table)}`.execute(this.#trx);
    }
  }

  /** Triggers notify servers of each change. There are none now. */
  async setTriggers(tables: readonly string[], state: 'enable' | 'disable'): Promise<void> {
    for (const table of tables) {
      await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(this.#trx);
    }
  }

  /** The type of each column of a table. */
  async typesOf(table: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await sql<{ name: string; type: string }>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = current_schema() and table_name = ${table}`.execute(this.#trx);
    return new Map(rows.map(({ name, type }) => [name, type]));
  }

  async insert(table: string, types: ReadonlyMap<string, string>, rows: readonly Row[]): Promise<void> {
    const columns = [...types.keys()];
    const values = [...types.values()].map(
      (type, index): RawBuilder<unknown> => sql`${rows.map((row) => row[index])}::${sql.raw(type)}[]`,
    );
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) overriding system value
      select * from unnest(${sql.join(values)})`.execute(this.#trx);
  }

  async *rowsOf(table: string, columns: readonly string[]): AsyncGenerator<Row> {
    const selected = sql.join(columns.map((name) => sql.ref(name)));
    await sql`declare moved no scroll cursor for select ${selected} from ${sql.table(table)}`.execute(this.#trx);
    for (;;) {
      const fetch = sql<Record<string, Cell>>`fetch ${sql.lit(ROWS_READ_AT_ONCE)} from moved`;
      const { rows } = await fetch.execute(this.#trx);
      for (const row of rows) yield columns.map((name) => row[name] ?? null);
      if (rows.length < ROWS_READ_AT_ONCE) break;
    }
    await sql`close moved`.execute(this.#trx);
  }

  /** New rows get ids after `lastId`. */
  async continueIds(table: string, lastId: number): Promise<void> {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${lastId}::bigint)`.execute(this.#trx);
  }
}
