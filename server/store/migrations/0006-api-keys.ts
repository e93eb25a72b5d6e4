import type { Kysely } from 'kysely';

/** Named keys for machines, and the last use of API secrets. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('api_key')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value_hash', 'text', (column) => column.notNull().unique())
    .addColumn('old_value_hash', 'text', (column) => column.unique())
    .addColumn('old_value_expires_on', 'bigint')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .addColumn('expires_on', 'bigint')
    .addColumn('last_used_on', 'bigint')
    .addColumn('last_used_from', 'text')
    .addColumn('revoked_on', 'bigint')
    .execute();
  await db.schema.createIndex('api_key_by_age').on('api_key').columns(['account_id', 'created_on', 'id']).execute();

  await db.schema.alterTable('api_secret').addColumn('last_used_on', 'bigint').execute();
  await db.schema.alterTable('api_secret').addColumn('last_used_from', 'text').execute();
}
