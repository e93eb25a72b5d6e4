import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';

/** The values of the first column. */
export function firstColumn(statement: StatementSync, ...parameters: SQLInputValue[]): unknown[] {
  return arrays(statement)
    .all(...parameters)
    .map(([value]) => value);
}

/** Rows are arrays from now on. The types of Node 24 do not say so. */
export function arrays(statement: StatementSync): {
  all(...parameters: SQLInputValue[]): unknown[][];
  iterate(...parameters: SQLInputValue[]): IterableIterator<unknown[]>;
} {
  statement.setReturnArrays(true);
  return statement as never;
}

export function countRows(sqlite: DatabaseSync, table: string): number {
  return Number(firstColumn(sqlite.prepare(`select count(*) from "${table}"`))[0]);
}

/** Kysely's dialect for a database that is open. Destroying Kysely closes it. */
export function sqliteDialect(sqlite: DatabaseSync): SqliteDialect {
  const database: SqliteDatabase = {
    prepare: (sql) => new Statement(sqlite.prepare(sql)),
    close: () => sqlite.close(),
  };
  return new SqliteDialect({ database });
}

/**
 * Makes the rows from arrays: node:sqlite makes objects without a prototype, unlike node-postgres, and takes three times
 * as long for it.
 */
class Statement implements SqliteStatement {
  readonly #statement: StatementSync;
  readonly #columns: readonly string[];

  constructor(statement: StatementSync) {
    this.#statement = statement;
    // Without it, one number that is too large for JavaScript fails the statement, and with it all other rows.
    statement.setReadBigInts(true);
    this.#columns = statement.columns().map(({ name }) => name);
  }

  get reader(): boolean {
    return this.#columns.length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    const rows = arrays(this.#statement).all(...(parameters as SQLInputValue[]));
    return rows.map((values) => this.#row(values));
  }

  *iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    const rows = arrays(this.#statement).iterate(...(parameters as SQLInputValue[]));
    for (const values of rows) yield this.#row(values);
  }

  run(parameters: readonly unknown[]): ReturnType<StatementSync['run']> {
    return this.#statement.run(...(parameters as SQLInputValue[]));
  }

  #row(values: readonly unknown[]): object {
    const row: Record<string, unknown> = {};
    for (const [index, column] of this.#columns.entries()) row[column] = numberIfSafe(values[index]);
    return row;
  }
}

/** A number that is too large stays a bigint: whoever reads the row finds that it is none that was written. */
function numberIfSafe(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
