import type { Kysely } from 'kysely';

/** Streams that are announced before they begin. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scheduled_stream')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('starts_on', 'bigint', (column) => column.notNull())
    .addColumn('ends_on', 'bigint')
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .addColumn('updated_on', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('scheduled_stream_by_start')
    .on('scheduled_stream')
    .columns(['account_id', 'starts_on'])
    .execute();
}
