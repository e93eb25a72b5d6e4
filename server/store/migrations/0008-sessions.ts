import { sql, type Kysely } from 'kysely';

/** What happened in each session. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('protocol', 'text', (column) => column.notNull())
    .addColumn('token_id', 'bigint')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('origin', 'text')
    .addColumn('opened_on', 'bigint', (column) => column.notNull())
    .addColumn('connected_on', 'bigint')
    .addColumn('first_media_on', 'bigint')
    .addColumn('seen_on', 'bigint', (column) => column.notNull())
    .addColumn('ended_on', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('watched_ms', 'bigint', (column) => column.notNull())
    .addColumn('reconnects', 'integer', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createIndex('session_by_stream')
    .on('session')
    .columns(['account_id', 'stream_name', 'opened_on', 'id'])
    .execute();
  await db.schema.createIndex('session_by_seen').on('session').column('seen_on').execute();
  await db.schema
    .createIndex('session_open_by_seen')
    .on('session')
    .column('seen_on')
    .where(sql.ref('ended_on'), 'is', null)
    .execute();
}
