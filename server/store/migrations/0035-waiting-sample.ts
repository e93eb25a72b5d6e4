import { sql, type Kysely } from 'kysely';

/** A sample of what waits of each webhook, from which its number is known without counting. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_delivery_sample on webhook_delivery (webhook_id) where state = 'waiting' and id % 61 = 0`.execute(
    db,
  );
}
