import type { Kysely } from 'kysely';

/** Servers that carry the media of accounts, and the sessions that are open there. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_upstream')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    // Empty: for all streams of the account.
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('software', 'text', (column) => column.notNull())
    .addColumn('settings_sealed', 'text', (column) => column.notNull())
    .addColumn('updated_on', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_upstream_key', ['account_id', 'stream_name'])
    .execute();
  await db.schema
    .createTable('upstream_session')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('session_sealed', 'text', (column) => column.notNull())
    .addColumn('opened_on', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('upstream_session_by_owner').on('upstream_session').column('owner').execute();
}
