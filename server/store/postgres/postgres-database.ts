import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { GuardedDialect, type StatementGuard } from '../availability/guarded-dialect.js';
import { DatabaseError, NoDataError } from '../database-errors.js';
import { hasData, migrateToLatest, migrationProvider, needsMigration } from '../migrations.js';
import type { Database, Schema } from '../schema.js';
import { HEARTBEATS, MIGRATIONS, postgresDialect } from './postgres-dialect.js';

/**
 * Opens a PostgreSQL database and migrates it. Kysely's migrator takes a lock of the database: when several nodes
 * start at once, one migrates and the others wait.
 * @throws {DatabaseError}
 * @throws {NoDataError} with `mayMakeData: false`
 */
export async function openPostgres(
  databaseUrl: string,
  { monitor, mayMakeData }: { readonly monitor: StatementGuard; readonly mayMakeData: boolean },
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
  return new Kysely<Schema>({ dialect: new GuardedDialect(postgresDialect(databaseUrl), monitor) });
}

/** A second pool on a migrated database, for statements that must not wait behind calls. */
export function openPostgresForHeartbeats(databaseUrl: string, monitor: StatementGuard): Database {
  return new Kysely<Schema>({ dialect: new GuardedDialect(postgresDialect(databaseUrl, HEARTBEATS), monitor) });
}
