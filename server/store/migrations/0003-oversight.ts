import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';
import type { MigrationDialect } from '../migrations.js';
import type { Schema } from '../schema.js';

/** Migration 0003: who changed what, and who was turned away. */
export async function createOversight(db: Kysely<Schema>, { identity }: MigrationDialect): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', ...countedUp(identity))
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('time', 'bigint', (column) => column.notNull())
    .addColumn('actor_by', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target_kind', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .execute();

  await db.schema
    .createTable('refusal')
    .addColumn('id', ...countedUp(identity))
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('time', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('token_id', 'bigint')
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('origin', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute();

  for (const table of ['audit', 'refusal'] as const) {
    await db.schema.createIndex(`${table}_by_account`).on(table).columns(['account_id', 'id']).execute();
    await db.schema.createIndex(`${table}_by_time`).on(table).column('time').execute();
  }
}

/** Migration 0005: callers who name an account that does not exist. */
export async function keepUnknownAccounts(db: Kysely<Schema>, { identity }: MigrationDialect): Promise<void> {
  await db.schema.alterTable('refusal').addColumn('named_account', 'text').execute();
  await db.schema
    .createTable('unknown_account_refusal')
    .addColumn('id', ...countedUp(identity))
    .addColumn('time', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('token_id', 'bigint')
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('origin', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('named_account', 'text')
    .execute();
  await db.schema.createIndex('unknown_account_refusal_by_time').on('unknown_account_refusal').column('time').execute();
}

function countedUp(identity: MigrationDialect['identity']) {
  return identity === 'sqlite'
    ? ([sql`integer`, (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement()] as const)
    : ([sql`bigint`, (column: ColumnDefinitionBuilder) => column.primaryKey().generatedAlwaysAsIdentity()] as const);
}
