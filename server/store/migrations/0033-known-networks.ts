import type { Kysely } from 'kysely';

/** Where a member has logged in from with their password. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('member_password').addColumn('known_networks', 'text').execute();
}
