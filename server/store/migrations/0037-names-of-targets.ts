import type { Kysely } from 'kysely';

/** The name of what was changed, as it was then. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('target_name', 'text').execute();
}
