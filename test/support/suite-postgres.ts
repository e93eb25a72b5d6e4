import { after, before } from 'node:test';
import { openDatabase } from '../../server/store/database.js';
import type { Database } from '../../server/store/schema.js';
import { query, startPostgres, type TestPostgres } from './postgres.js';

export interface SuitePostgres extends TestPostgres {
  /** Creates a database with the tables of the server, and returns its URL. To copy one is faster than to migrate one. */
  migratedDatabase(): Promise<string>;
}

/**
 * A PostgreSQL server that runs for one suite, or for one file. Call it where hooks are declared; use it in tests.
 * @param prepare changes the database that the migrated ones are copies of
 */
export function suitePostgres(prepare?: (db: Database) => Promise<void>): SuitePostgres {
  let server: TestPostgres;
  let template: Promise<string> | undefined;
  let copies = 0;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  const migrated = async (): Promise<string> => {
    const url = await server.newDatabase();
    const db = await openDatabase('', url);
    await prepare?.(db);
    // A database with connections cannot be copied.
    await db.destroy();
    return url;
  };
  const migratedDatabase = async (): Promise<string> => {
    const original = new URL(await (template ??= migrated()));
    const name = `copy_${(copies += 1)}`;
    await query(server.adminUrl, `create database ${name} template ${original.pathname.slice(1)}`);
    return Object.assign(original, { pathname: `/${name}` }).href;
  };
  return {
    migratedDatabase,
    get adminUrl() {
      return server.adminUrl;
    },
    newDatabase: () => server.newDatabase(),
    kill: (signal) => server.kill(signal),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    start: () => server.start(),
    stop: () => server.stop(),
    replica: () => server.replica(),
  };
}
