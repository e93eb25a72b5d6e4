import { sql, type Kysely } from 'kysely';

/** What is due of each webhook, without a look at what else waits. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index webhook_delivery_due_of_webhook on webhook_delivery (webhook_id, due_on, id) where state = 'waiting'`.execute(
    db,
  );
}
