import { sql, type Kysely } from 'kysely';

/** What each session watched in each hour, and the sums by stream and by token. Released: never edit. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  // SQLite then keeps the rows in the order of their key, so that those which are read together lie together.
  const inOrderOfKey = dialect === 'sqlite' ? sql`without rowid` : sql``;
  await db.schema
    .createTable('session_hour')
    .addColumn('session_id', 'text', (column) => column.notNull().references('session.id').onDelete('cascade'))
    .addColumn('hour', 'integer', (column) => column.notNull())
    .addColumn('media_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('session_hour_pk', ['session_id', 'hour'])
    .modifyEnd(inOrderOfKey)
    .execute();
  await db.schema.createIndex('session_hour_by_hour').on('session_hour').column('hour').execute();

  await db.schema
    .createTable('hour_to_roll_up')
    .addColumn('hour', 'integer', (column) => column.primaryKey())
    .execute();

  await db.schema
    .createTable('stream_hour')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('stream_name', 'text', (column) => column.notNull())
    .addColumn('hour', 'integer', (column) => column.notNull())
    .addColumn('viewer_sessions', 'integer', (column) => column.notNull())
    .addColumn('peak_viewers', 'integer', (column) => column.notNull())
    .addColumn('watched_ms', 'bigint', (column) => column.notNull())
    .addColumn('publisher_sessions', 'integer', (column) => column.notNull())
    .addColumn('broadcast_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('stream_hour_pk', ['account_id', 'stream_name', 'hour'])
    .modifyEnd(inOrderOfKey)
    .execute();
  await db.schema.createIndex('stream_hour_by_hour').on('stream_hour').columns(['account_id', 'hour']).execute();

  await db.schema
    .createTable('token_hour')
    .addColumn('account_id', 'text', (column) => column.notNull().references('account.id').onDelete('cascade'))
    .addColumn('token_id', 'bigint', (column) => column.notNull())
    .addColumn('hour', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('sessions', 'integer', (column) => column.notNull())
    .addColumn('media_ms', 'bigint', (column) => column.notNull())
    .addColumn('first_used_on', 'bigint', (column) => column.notNull())
    .addColumn('last_used_on', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('token_hour_pk', ['account_id', 'hour', 'token_id'])
    .modifyEnd(inOrderOfKey)
    .execute();
  await db.schema
    .createIndex('token_hour_by_token')
    .on('token_hour')
    .columns(['account_id', 'token_id', 'hour'])
    .execute();

  await db.schema
    .createIndex('session_by_token')
    .on('session')
    .columns(['account_id', 'token_id', 'address'])
    .execute();

  await sql`insert into session_hour (session_id, hour, media_ms) select id, seen_on / 3600000, watched_ms from session`.execute(
    db,
  );
  await sql`insert into hour_to_roll_up (hour) select distinct hour from session_hour`.execute(db);
}
