import type { Kysely } from 'kysely';

/** How the hosted pages of accounts look. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_theme')
    .addColumn('account_id', 'text', (column) => column.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('accent', 'text')
    .addColumn('background', 'text')
    .addColumn('logo_type', 'text')
    .addColumn('logo_base64', 'text')
    .addColumn('updated_on', 'bigint', (column) => column.notNull())
    .execute();
}
