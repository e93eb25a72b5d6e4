import type { Kysely } from 'kysely';

/** What was recorded of streams, and how accounts keep it. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recording')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('source_id', 'text')
    // Not a reference: many tokens expire in a day, and each deletion would search here.
    .addColumn('token_id', 'integer')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('fault', 'text')
    .addColumn('started_on', 'bigint', (column) => column.notNull())
    .addColumn('ended_on', 'bigint')
    .addColumn('duration_ms', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('video_codec', 'text')
    .addColumn('audio_codec', 'text')
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('container', 'text')
    // Read and written as a whole.
    .addColumn('parts', 'text', (column) => column.notNull())
    .addColumn('location', 'text', (column) => column.notNull())
    .addColumn('node_id', 'text', (column) => column.notNull())
    .addColumn('expires_on', 'bigint')
    .execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on('recording').columns(columns).execute();
  await index('recording_by_account', ['account_id', 'started_on', 'id']);
  await index('recording_by_stream', ['account_id', 'stream_name', 'started_on', 'id']);
  await index('recording_by_expiry', ['expires_on']);
  await index('recording_by_node', ['node_id', 'state', 'location']);
  await db.schema
    .createTable('recording_settings')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('retention_days', 'integer')
    .addColumn('quota_bytes', 'bigint')
    .addColumn('updated_on', 'bigint', (column) => column.notNull())
    .execute();
}
