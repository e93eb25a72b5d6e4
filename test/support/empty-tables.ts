import { sql } from 'kysely';
import type { Database } from '../../server/store/schema.js';

/** More than most tests write. Deleted rows keep their place for a while, and every later scan passes them. */
const MANY_BYTES = 1_000_000;

/**
 * Remembers which tables of a PostgreSQL database have rows. To empty the others is faster than to copy a database.
 * @returns deletes what was written since
 */
export async function emptyTables(db: Database): Promise<() => Promise<void>> {
  const names = async (query: ReturnType<typeof sql<{ name: string }>>) =>
    (await query.execute(db)).rows.map(({ name }) => name);
  const tables = await names(sql`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
  const sequences = await names(
    sql`select quote_ident(sequencename) as name from pg_sequences where schemaname = 'public'`,
  );
  const filled = tables.map((name) => `select '${name}' as name where exists (select 1 from ${name})`);
  const kept = new Set(await names(sql.raw(filled.join(' union all '))));
  const emptied = tables
    .filter((name) => !kept.has(name))
    .map(
      (name) => `if pg_relation_size('${name}') > ${MANY_BYTES} then truncate ${name} cascade;
        else delete from ${name}; end if;`,
    );
  const restarted = sequences.map((name) => `perform setval('${name}', 1, false);`);
  // A function keeps the plans of its statements. Without the checks of foreign keys, any order is right.
  await sql
    .raw(
      `create schema test_support;
      create function test_support.empty_tables() returns void language plpgsql as $$ begin
        perform set_config('session_replication_role', 'replica', true);
        ${[...emptied, ...restarted].join('\n')}
      end $$`,
    )
    .execute(db);
  return async () => void (await sql`select test_support.empty_tables()`.execute(db));
}
