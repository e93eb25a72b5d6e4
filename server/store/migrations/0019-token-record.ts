import type { Kysely } from 'kysely';

/** Whether a publish token records. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('token')
    .addColumn('record', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
