import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely';

/** The audit log and the refusal log. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const identity =
    dialect === 'sqlite'
      ? ([sql`integer`, (column: ColumnDefinitionBuilder) => column.primaryKey().autoIncrement()] as const)
      : ([sql`bigint`, (column: ColumnDefinitionBuilder) => column.primaryKey().generatedAlwaysAsIdentity()] as const);

  await db.schema
    .createTable('audit')
    .addColumn('id', ...identity)
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
    .addColumn('id', ...identity)
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('time', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('token_id', 'bigint')
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('origin', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute();

  for (const table of ['audit', 'refusal']) {
    await db.schema.createIndex(`${table}_by_account`).on(table).columns(['account_id', 'id']).execute();
    await db.schema.createIndex(`${table}_by_time`).on(table).column('time').execute();
  }
}
