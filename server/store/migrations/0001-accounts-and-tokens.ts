import type { Kysely } from 'kysely';

/** Accounts, their API secrets and dashboard logins, and tokens with their stream names. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema
    .createTable('account')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('api_secret')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .execute();

  for (const [table, hash] of [
    ['dashboard_code', 'code_hash'],
    ['dashboard_session', 'session_hash'],
  ] as const) {
    await db.schema
      .createTable(table)
      .addColumn(hash, 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
      .addColumn('expires_on', 'bigint', (column) => column.notNull())
      .execute();
  }

  await db.schema
    .createTable('token')
    // A key that the database counts up and never uses twice.
    .addColumn('id', dialect === 'sqlite' ? 'integer' : 'bigint', (column) =>
      dialect === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
    )
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value_hash', 'text', (column) => column.notNull().unique())
    .addColumn('value_sealed', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('subscribe_requires_auth', 'integer', (column) => column.notNull())
    .addColumn('is_active', 'integer', (column) => column.notNull())
    .addColumn('added_on', 'bigint', (column) => column.notNull())
    .addColumn('expires_on', 'bigint')
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('token_stream')
    .addColumn('token_id', dialect === 'sqlite' ? 'integer' : 'bigint', (column) =>
      column.notNull().references('token.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('is_regex', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('token_stream_key', ['token_id', 'position'])
    .execute();

  // The two orders in which an account's tokens are listed.
  await db.schema.createIndex('token_by_label').on('token').columns(['account_id', 'kind', 'label', 'id']).execute();
  await db.schema.createIndex('token_by_age').on('token').columns(['account_id', 'kind', 'added_on', 'id']).execute();
}
