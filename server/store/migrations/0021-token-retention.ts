import type { Kysely } from 'kysely';

/** After how many days recordings of a publish token are deleted. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('token').addColumn('recording_retention_days', 'integer').execute();
}
