import type { Kysely } from 'kysely';

/** The members of an account with their roles, and whom a login link and a login belong to. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_member')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('account_member_by_age')
    .on('account_member')
    .columns(['account_id', 'created_on', 'id'])
    .execute();
  for (const table of ['dashboard_code', 'dashboard_session'] as const) {
    await db.schema
      .alterTable(table)
      .addColumn('member_id', 'text', (column) => column.references('account_member.id').onDelete('cascade'))
      .execute();
  }
  await db.schema.alterTable('audit').addColumn('actor_name', 'text').execute();
}
