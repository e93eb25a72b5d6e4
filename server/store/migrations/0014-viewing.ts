import { sql, type Kysely } from 'kysely';

/** What viewers reported: by session, by five minutes, by hour. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const inOrderOfKey = dialect === 'sqlite' ? sql`without rowid` : sql``;
  await db.schema.alterTable('session').addColumn('quality', 'text').execute();

  const small = ['freezes', 'round_trips', 'heights', ...Array.from({ length: 13 }, (_, index) => `first_${index}`)];
  const large = ['played_ms', 'frozen_ms', 'packets', 'lost', 'round_trip_ms', 'height'];

  let slot = db.schema
    .createTable('viewing_slot')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('server_id', 'text', (column) => column.notNull())
    .addColumn('viewers', 'integer', (column) => column.notNull())
    .addColumn('frozen_viewers', 'integer', (column) => column.notNull());
  for (const name of small) slot = slot.addColumn(name, 'integer', (column) => column.notNull());
  for (const name of large) slot = slot.addColumn(name, 'bigint', (column) => column.notNull());
  await slot
    .addPrimaryKeyConstraint('viewing_slot_pk', ['account_id', 'stream_name', 'slot', 'server_id'])
    .modifyEnd(inOrderOfKey)
    .execute();
  await db.schema.createIndex('viewing_slot_by_slot').on('viewing_slot').column('slot').execute();

  let hour = db.schema
    .createTable('viewing_hour')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('hour', 'integer', (column) => column.notNull());
  for (const name of small) hour = hour.addColumn(name, 'integer', (column) => column.notNull());
  for (const name of large) hour = hour.addColumn(name, 'bigint', (column) => column.notNull());
  await hour
    .addPrimaryKeyConstraint('viewing_hour_pk', ['account_id', 'stream_name', 'hour'])
    .modifyEnd(inOrderOfKey)
    .execute();
}
