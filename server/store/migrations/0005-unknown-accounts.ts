import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';

/** Refusals of callers who named an account that does not exist. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const identity =
    dialect === 'sqlite'
      ? ([sql`integer`, (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement()] as const)
      : ([sql`bigint`, (column: ColumnDefinitionBuilder) => column.primaryKey().generatedAlwaysAsIdentity()] as const);

  await db.schema.alterTable('refusal').addColumn('named_account', 'text').execute();
  await db.schema
    .createTable('unknown_account_refusal')
    .addColumn('id', ...identity)
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
