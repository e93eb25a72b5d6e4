import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { DatabaseMonitor } from '../availability/database-monitor.js';
import { GuardedDialect } from '../availability/guarded-dialect.js';
import { DatabaseError, NoDataError } from '../database-errors.js';
import { hasData, migrateToLatest, migrationProvider, needsMigration } from '../migrations.js';
import type { Database, Schema } from '../schema.js';
import { CALLS, HEARTBEATS, MIGRATIONS, postgresDialect, type PoolLimits } from './postgres-dialect.js';

/**
 * Opens a PostgreSQL database and migrates it. Kysely's migrator takes a lock of the database: when several nodes
 * start at once, one migrates and the others wait.
 * @throws {DatabaseError}
 * @throws {NoDataError} with `mayMakeData: false`
 */
export async function openPostgres(
  databaseUrl: string,
  { monitor, mayMakeData }: { readonly monitor: DatabaseMonitor; readonly mayMakeData: boolean },
): Promise<Database> {
  // A pool of its own, without the time limits of calls.
  const db = new Kysely<Schema>({ dialect: postgresDialect(databaseUrl, MIGRATIONS) });
  try {
    const migrator = new Migrator({ db, provider: migrationProvider('postgres') });
    if (!mayMakeData && !(await hasData(migrator))) throw new NoDataError();
    if (await needsMigration(migrator, db)) await migrateToLatest(migrator, db);
  } catch (error) {
    throw error instanceof NoDataError ? error : new DatabaseError(error);
  } finally {
    await db.destroy();
  }
  return guarded(databaseUrl, CALLS, monitor);
}

/** A second pool on a migrated database, for statements that must not wait behind calls. */
export function openPostgresForHeartbeats(databaseUrl: string, monitor: DatabaseMonitor): Database {
  return guarded(databaseUrl, HEARTBEATS, monitor);
}

/** Sends an empty notification. */
export async function notify(db: Database, channel: string): Promise<void> {
  await sql`select pg_notify(${channel}, '')`.execute(db);
}

/** More than 1 MB, as each row takes 36 bytes. */
const SPACE_ROWS = 32_768;

/**
 * Takes disk space where the tables are, and gives it back. Tables cannot show whether there is any: they reuse the
 * space of rows that were deleted. A temporary table has only new space.
 */
export async function takePostgresSpace(db: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`set local temp_tablespaces = ''`.execute(transaction);
    const rows = sql`select generate_series(1, ${sql.lit(SPACE_ROWS)})`;
    await sql`create temporary table streamgate_space on commit drop as ${rows}`.execute(transaction);
  });
}

function guarded(databaseUrl: string, limits: PoolLimits, monitor: DatabaseMonitor): Database {
  const dialect = postgresDialect(databaseUrl, limits, (replace) => monitor.on('read-only', replace));
  return new Kysely<Schema>({ dialect: new GuardedDialect(dialect, monitor) });
}
