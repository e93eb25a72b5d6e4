import { sql } from 'kysely';
import type { Database } from '../schema.js';
import { usedRowQuery } from '../used-data.js';

/** The names of all tables. */
export async function postgresTables(db: Pick<Database, 'getExecutor'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Whether anybody has used the data. A first start alone does not count. */
export async function isPostgresUsed(db: Pick<Database, 'getExecutor'>): Promise<boolean> {
  const { rows } = await sql.raw(usedRowQuery(await postgresTables(db))).execute(db);
  return rows.length > 0;
}
