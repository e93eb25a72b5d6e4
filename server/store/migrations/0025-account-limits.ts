import type { Kysely } from 'kysely';

/** What accounts may use at most. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_limit')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('max_sessions', 'integer')
    .addColumn('max_calls', 'integer')
    .addColumn('updated_on', 'bigint', (column) => column.notNull())
    .execute();
}
