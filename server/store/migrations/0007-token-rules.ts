import type { Kysely } from 'kysely';

/** The countries of a token, and how many may watch with it at once. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Each list is read and written as a whole, so it is JSON in one column.
  for (const list of ['allowed_countries', 'denied_countries']) {
    await db.schema
      .alterTable('token')
      .addColumn(list, 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
  }
  await db.schema
    .alterTable('token')
    .addColumn('max_sessions', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('token')
    .addColumn('when_full', 'text', (column) => column.notNull().defaultTo('refuse'))
    .execute();
}
