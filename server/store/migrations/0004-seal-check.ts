import type { Kysely } from 'kysely';

/**
 * A sealed text that shows whether a key is the key of this database, and an index of expiries. Released: never edit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seal_check')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('token_by_expiry').on('token').column('expires_on').execute();
}
