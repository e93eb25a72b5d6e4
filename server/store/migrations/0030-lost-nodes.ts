import { sql, type Kysely } from 'kysely';

/** Servers whose loss was told to webhooks, so that it is told once. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  // An SQLite file has one server.
  if (dialect === 'sqlite') return;
  await sql`alter table node add column joined_on timestamptz not null default now()`.execute(db);
  await sql`
    create table lost_node (
      id text not null,
      epoch bigint not null,
      url text,
      heartbeat timestamptz not null,
      returned_on timestamptz,
      primary key (id, epoch)
    )`.execute(db);
}
