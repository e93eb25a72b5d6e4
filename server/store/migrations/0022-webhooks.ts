import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';

/** Webhooks, what is sent to them, and what has been said of tokens. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const identity =
    dialect === 'sqlite'
      ? ([sql`integer`, (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement()] as const)
      : ([sql`bigint`, (column: ColumnDefinitionBuilder) => column.primaryKey().generatedAlwaysAsIdentity()] as const);
  await db.schema
    .createTable('webhook')
    .addColumn('id', ...identity)
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    // JSON, searched with the quotes around each name.
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('key_sealed', 'text', (column) => column.notNull())
    .addColumn('old_key_sealed', 'text')
    .addColumn('old_key_expires_on', 'bigint')
    .addColumn('disabled_reason', 'text')
    .addColumn('disabled_on', 'bigint')
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .addColumn('updated_on', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('webhook_by_account').on('webhook').columns(['account_id', 'id']).execute();
  const reference = dialect === 'sqlite' ? 'integer' : 'bigint';
  await db.schema
    .createTable('webhook_delivery')
    .addColumn('id', ...identity)
    .addColumn('webhook_id', reference, (column) => column.notNull().references('webhook.id').onDelete('cascade'))
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('order_key', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .addColumn('due_on', 'bigint', (column) => column.notNull())
    .addColumn('claim', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('last_on', 'bigint')
    .addColumn('last_status', 'integer')
    .addColumn('last_fault', 'text')
    .addColumn('last_duration_ms', 'integer')
    .execute();
  // Only those that wait: the log of those that were delivered is far longer.
  await sql`create index webhook_delivery_due on webhook_delivery (due_on) where state = 'waiting'`.execute(db);
  await sql`create index webhook_delivery_in_order on webhook_delivery (webhook_id, order_key, id) where state = 'waiting'`.execute(
    db,
  );
  await db.schema
    .createIndex('webhook_delivery_by_webhook')
    .on('webhook_delivery')
    .columns(['webhook_id', 'id'])
    .execute();
  await db.schema.createIndex('webhook_delivery_by_time').on('webhook_delivery').column('created_on').execute();

  const ofToken = (column: ColumnDefinitionBuilder) => column.primaryKey().references('token.id').onDelete('cascade');
  await db.schema
    .createTable('token_first_use')
    .addColumn('token_id', reference, ofToken)
    .addColumn('used_on', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('token_expiry_notice')
    .addColumn('token_id', reference, ofToken)
    .addColumn('expires_on', 'bigint', (column) => column.notNull())
    .execute();
  // Tokens that were used before must not be reported as used for the first time.
  await sql`insert into token_first_use (token_id, used_on)
    select token.id, min(known.used_on) from token
    join (select token_id, first_used_on as used_on from token_hour
      union all select token_id, opened_on from session where token_id is not null) as known
      on known.token_id = token.id
    group by token.id`.execute(db);
}
