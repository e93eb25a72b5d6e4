import { sql } from 'kysely';
import type { Database } from '../../server/store/schema.js';

const LATER = '9999_later';

/** Changes the tables as a later version may that only expands: all that needs no entry in the list of contractions. */
export async function expandTables(db: Database): Promise<void> {
  for (const { name } of await db.introspection.getTables()) {
    await sql`alter table ${sql.table(name)} add column later_note text`.execute(db);
    await sql`alter table ${sql.table(name)} add column later_count integer not null default 0`.execute(db);
  }
  await sql`create table later (id integer primary key, token_id integer not null)`.execute(db);
  await sql`insert into kysely_migration (name, timestamp) values (${LATER}, '2040-01-01')`.execute(db);
}

/** Takes away what this version uses, as a later version may that no longer works beside this one. */
export async function contractTables(db: Database): Promise<void> {
  await sql`drop table account_theme`.execute(db);
  await sql`insert into kysely_migration (name, timestamp) values (${LATER}, '2040-01-01')`.execute(db);
  await sql`update schema_version set compatible_from = ${LATER}`.execute(db);
}
