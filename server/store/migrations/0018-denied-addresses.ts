import type { Kysely } from 'kysely';

/** The addresses that may not use a token. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The list is read and written as a whole, so it is JSON in one column.
  await db.schema
    .alterTable('token')
    .addColumn('denied_addresses', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
}
