import { sql } from 'kysely';

/** PostgreSQL returns sums as text. */
export type Sum = string | number | bigint;

/** More than this is damage. A thousand times as much fits into a bigint. */
const MOST = 2 ** 53;

/**
 * The sum of a column, without values that cannot have been written: SQLite stores any value in any column, and one
 * number that is too large would let the statement fail for all rows.
 */
export function sumOf<const Name extends string>(name: Name) {
  const column = sql.ref(name);
  return sql<Sum>`sum(case when ${column} between 0 and ${sql.lit(MOST)} then ${column} else 0 end)`.as(name);
}
