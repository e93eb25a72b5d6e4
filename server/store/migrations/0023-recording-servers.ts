import type { Kysely } from 'kysely';

/** Which servers that record are running. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recording_server')
    .addColumn('node_id', 'text', (column) => column.primaryKey())
    .addColumn('running_on', 'bigint', (column) => column.notNull())
    .execute();
}
