import { ConflictError } from '../../errors.js';
import type { Database, Schema } from '../schema.js';
import { ColumnFault, Columns } from './columns.js';
import { RowFaults, type RowFault } from './row-faults.js';

/** 409: what is stored under this id cannot be read. It can be removed. */
export class UnreadableRowError extends ConflictError {
  override name = 'UnreadableRowError';

  constructor() {
    super(
      'stored_row_unreadable',
      'What is stored here cannot be read: remove it and make it again, or ask the operator of the server, whose log names the row',
    );
  }
}

/** A database, or a transaction. */
type Executor = Pick<Database, 'getExecutor'>;

export interface RowReaderOptions<Row extends object, Value> {
  readonly table: keyof Schema;
  /** The columns that identify the row to the operator. */
  readonly key: readonly (keyof Row & string)[];
  /** Throws a {@link ColumnFault}. */
  readonly read: (columns: Columns<Row>) => Value;
  /**
   * What the owner sees of a row that cannot be read, so that they can remove it. It permits nothing, and says that it
   * cannot be read. Absent: they do not see the row.
   */
  readonly unreadable?: (columns: Columns<Row>) => Value;
}

/**
 * Makes values of the rows of a table. Every store reads its rows with one, so that a row that is damaged, or sealed
 * with another key, costs only what it is about. Faults are reported to the {@link RowFaults} of the database.
 */
export class RowReader<Row extends object, Value> {
  readonly #options: RowReaderOptions<Row, Value>;

  constructor(options: RowReaderOptions<Row, Value>) {
    this.#options = options;
  }

  /** For a row that somebody asks for by its id. @throws {UnreadableRowError} */
  read(db: Executor, row: Row): Value {
    const [value] = this.#read(db, row);
    if (value === undefined) throw new UnreadableRowError();
    return value;
  }

  /** For a row that decides something: what cannot be read is not there. Undefined: as that, or there is no row. */
  find(db: Executor, row: Row | undefined): Value | undefined {
    return row && this.#read(db, row)[0];
  }

  /** Without the rows that cannot be read. */
  readAll(db: Executor, rows: readonly Row[]): Value[] {
    return rows.flatMap((row) => this.#read(db, row));
  }

  /** For the owner: also of a row that cannot be read, if it can be shown. @throws {UnreadableRowError} */
  show(db: Executor, row: Row): Value {
    const [value] = this.#show(db, row);
    if (value === undefined) throw new UnreadableRowError();
    return value;
  }

  /** As `show`, without the rows that cannot be shown. */
  showAll(db: Executor, rows: readonly Row[]): Value[] {
    return rows.flatMap((row) => this.#show(db, row));
  }

  #show(db: Executor, row: Row): readonly [] | readonly [Value] {
    const read = this.#read(db, row);
    const { unreadable } = this.#options;
    if (read.length > 0 || !unreadable) return read;
    try {
      return [unreadable(new Columns(row))];
    } catch (error) {
      if (!(error instanceof ColumnFault)) throw error;
      return [];
    }
  }

  /** The row is gone, and its fault with it. */
  forget(db: Executor, row: Row): void {
    this.#note(db, row, []);
  }

  /** @returns nothing if the row cannot be read */
  #read(db: Executor, row: Row): readonly [] | readonly [Value] {
    const columns = new Columns(row);
    try {
      const value = this.#options.read(columns);
      this.#note(db, row, columns.tolerated);
      return [value];
    } catch (error) {
      if (!(error instanceof ColumnFault)) throw error;
      this.#note(db, row, [...columns.tolerated, error]);
      return [];
    }
  }

  #note(db: Executor, row: Row, found: readonly ColumnFault[]): void {
    const faults = RowFaults.of(db);
    if (!faults || (found.length === 0 && faults.rows === 0)) return;
    const { table, key } = this.#options;
    const id = key.map((name) => String(row[name])).join(' ');
    const account = 'account_id' in row ? String(row.account_id) : undefined;
    faults.note(
      { table, row: id },
      found.map(({ column, reason }): RowFault => ({ table, row: id, column, reason, account })),
    );
  }
}
