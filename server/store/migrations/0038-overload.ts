import type { Kysely } from 'kysely';

/** Whether the server was overloaded in five minutes of a stream. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('viewing_slot')
    .addColumn('overloaded', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
