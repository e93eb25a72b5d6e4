import type { Kysely } from 'kysely';

/** How many may watch with a token at once. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('token')
    .addColumn('max_sessions', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('token')
    .addColumn('when_full', 'text', (column) => column.notNull().defaultTo('refuse'))
    .execute();
}
