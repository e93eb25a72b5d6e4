import { sql, type Kysely } from 'kysely';

/** What viewers on every server are told: that the media of a source has stopped, and that a broadcast is over. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  // An SQLite file has one server.
  if (dialect === 'sqlite') return;
  await sql`alter table stream_lease add column interrupted boolean not null default false`.execute(db);
  // Written together with a lease, whose trigger notifies the servers.
  await sql`
    create table stream_end (
      account_id text not null,
      stream_name text not null,
      token_id bigint not null,
      ended_on bigint not null,
      primary key (account_id, stream_name)
    )`.execute(db);
}
