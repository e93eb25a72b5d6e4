import { sql, type Kysely } from 'kysely';

/** Several servers on one database: who is there, and which of them has which stream. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  // An SQLite file has one server.
  if (dialect === 'sqlite') return;
  await sql`
    create table node (
      id text primary key,
      url text,
      epoch bigint not null,
      heartbeat timestamptz not null
    )`.execute(db);
  await sql`create sequence stream_lease_epoch`.execute(db);
  await sql`
    create table stream_lease (
      account_id text not null,
      stream_name text not null,
      source_id text not null,
      node_id text not null references node (id) on delete cascade,
      node_epoch bigint not null,
      epoch bigint not null default nextval('stream_lease_epoch'),
      session_id text not null,
      session_key_hash text not null,
      token_id bigint not null,
      live_on bigint,
      kept_until timestamptz,
      stop_requested boolean not null default false,
      primary key (account_id, stream_name, source_id)
    )`.execute(db);
  await sql`create index stream_lease_by_node on stream_lease (node_id)`.execute(db);
  await sql`
    create table stream_status (
      account_id text not null,
      stream_name text not null,
      node_id text not null references node (id) on delete cascade,
      status text not null,
      primary key (account_id, stream_name)
    )`.execute(db);
  await sql`create index stream_status_by_node on stream_status (node_id)`.execute(db);
  await sql`
    create function streamgate_lease_changed() returns trigger language plpgsql as $$
    declare lease stream_lease := case tg_op when 'DELETE' then old else new end;
    begin
      perform pg_notify('streamgate_cluster', json_build_array('stream', lease.account_id, lease.stream_name)::text);
      return null;
    end $$`.execute(db);
  await sql`
    create trigger streamgate_lease_changed after insert or update or delete on stream_lease
    for each row execute function streamgate_lease_changed()`.execute(db);
  await sql`
    create function streamgate_node_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('streamgate_cluster', '["node"]');
      return null;
    end $$`.execute(db);
  // A heartbeat notifies nobody.
  await sql`
    create trigger streamgate_node_changed after insert or delete or update of epoch on node
    for each row execute function streamgate_node_changed()`.execute(db);
}
