import type { Kysely } from 'kysely';

/** When, where and with which browser a person logged in to the dashboard. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['created_on', 'last_seen_on'] as const) {
    await db.schema.alterTable('dashboard_session').addColumn(column, 'bigint').execute();
  }
  for (const column of ['last_seen_from', 'user_agent'] as const) {
    await db.schema.alterTable('dashboard_session').addColumn(column, 'text').execute();
  }
  await db.schema.createIndex('dashboard_session_by_account').on('dashboard_session').column('account_id').execute();
}
