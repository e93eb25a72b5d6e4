import { Kysely } from 'kysely';
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

function guarded(databaseUrl: string, limits: PoolLimits, monitor: DatabaseMonitor): Database {
  const dialect = postgresDialect(databaseUrl, limits, (replace) => monitor.on('read-only', replace));
  return new Kysely<Schema>({ dialect: new GuardedDialect(dialect, monitor) });
}
