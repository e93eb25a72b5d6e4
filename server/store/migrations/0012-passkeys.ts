import type { Kysely } from 'kysely';

/** The passkeys of members, and the challenges that were used with them. Released: never edit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('member_passkey')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('member_id', 'text', (column) => column.notNull().references('account_member.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('synced', 'integer', (column) => column.notNull())
    .addColumn('created_on', 'bigint', (column) => column.notNull())
    .addColumn('last_used_on', 'bigint')
    .execute();
  await db.schema.createIndex('member_passkey_by_member').on('member_passkey').column('member_id').execute();
  await db.schema
    .createTable('used_challenge')
    .addColumn('challenge_hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_on', 'bigint', (column) => column.notNull())
    .execute();
}
