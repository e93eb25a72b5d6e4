import { sql, type Kysely } from 'kysely';

/** The pages and addresses of a token, its address bindings, and idempotent creates. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const reference = dialect === 'sqlite' ? 'integer' : 'bigint';

  // Each list is read and written as a whole, so it is JSON in one column.
  for (const list of ['allowed_origins', 'allowed_addresses']) {
    await db.schema
      .alterTable('token')
      .addColumn(list, 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
  }
  await db.schema
    .alterTable('token')
    .addColumn('bind_ips_on_usage', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('token_bound_ip')
    .addColumn('token_id', reference, (column) => column.notNull().references('token.id').onDelete('cascade'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('bound_on', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('token_bound_ip_key', ['token_id', 'address'])
    .execute();

  await db.schema
    .createTable('token_create')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('answer_sealed', 'text', (column) => column.notNull())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('token_create_key', ['account_id', 'kind', 'key'])
    .execute();
  await db.schema.createIndex('token_create_by_age').on('token_create').column('created_on').execute();

  await db.schema.createIndex('token_stream_by_name').on('token_stream').columns(['stream_name', 'token_id']).execute();

  if (dialect === 'sqlite') return;
  // SQLite sorts text by its bytes. PostgreSQL would sort it by the language of the database.
  await sql`alter table token alter column label type text collate "C"`.execute(db);
  await sql`
    create function streamgate_token_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('streamgate_token', (case tg_op when 'DELETE' then old.id else new.id end)::text);
      return null;
    end $$`.execute(db);
  // Every change of a token writes value_hash again. A new address binding does not, so it notifies nobody.
  await sql`
    create trigger streamgate_token_changed after insert or delete or update of value_hash on token
    for each row execute function streamgate_token_changed()`.execute(db);
}
