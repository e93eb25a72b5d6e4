import { sql, type Kysely } from 'kysely';

/** The key by which servers on one database authenticate the streams that they relay to each other. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  // An SQLite file has one server.
  if (dialect === 'sqlite') return;
  await sql`create table relay_key (id integer primary key check (id = 1), sealed text not null)`.execute(db);
}
