import type { Kysely } from 'kysely';

/** The passwords of members, and how often logins failed. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('member_password')
    .addColumn('member_id', 'text', (column) => column.primaryKey().references('account_member.id').onDelete('cascade'))
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('login_name', 'text', (column) => column.notNull().unique())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('code_secret_sealed', 'text', (column) => column.notNull())
    .addColumn('last_step', 'bigint', (column) => column.notNull())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .addColumn('last_used_on', 'bigint')
    .execute();
  await db.schema
    .createTable('failed_attempt')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_on', 'bigint', (column) => column.notNull())
    .addColumn('waits_until', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('failed_attempt_by_age').on('failed_attempt').column('last_on').execute();
}
