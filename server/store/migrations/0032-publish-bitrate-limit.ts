import type { Kysely } from 'kysely';

/** What each publisher of an account may send, in bit/s. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('account_limit').addColumn('max_publish_bitrate', 'integer').execute();
}
