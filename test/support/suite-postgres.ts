import { after, before } from 'node:test';
import { openDatabase } from '../../server/store/database.js';
import type { Database } from '../../server/store/schema.js';
import { query, startPostgres, type TestPostgres } from './postgres.js';

export interface SuitePostgres extends TestPostgres {
  /** Creates a database with the tables of the server, and returns its URL. To copy one is faster than to migrate one. */
  migratedDatabase(): Promise<string>;
  /** The same database each time, emptied, which is faster than a copy. Only one test may use it at a time. */
  emptiedDatabase(): Promise<string>;
}

/**
 * A PostgreSQL server that runs for one suite, or for one file. Call it where hooks are declared; use it in tests.
 * @param prepare changes the database that the migrated ones are copies of
 */
export function suitePostgres(prepare?: (db: Database) => Promise<void>): SuitePostgres {
  let server: TestPostgres;
  let template: Promise<string> | undefined;
  let copies = 0;
  let reused: Promise<{ readonly url: string; readonly empty: string }> | undefined;
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
  const toBeReused = async () => {
    const url = await migratedDatabase();
    return { url, empty: await emptyingStatement(url) };
  };
  return {
    migratedDatabase,
    async emptiedDatabase() {
      const { url, empty } = await (reused ??= toBeReused());
      await query(url, empty);
      return url;
    },
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

/** A statement that deletes what was written since the migrations. Tables in which these left rows are kept as they are. */
async function emptyingStatement(url: string): Promise<string> {
  const tables = await query(url, `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`);
  const filled = tables.map(({ name }) => `select '${name}' as name where exists (select 1 from ${name})`);
  const kept = new Set((await query(url, filled.join(' union all '))).map(({ name }) => name));
  const sequences = await query(
    url,
    `select quote_ident(sequencename) as name from pg_sequences where schemaname = 'public'`,
  );
  return [
    'begin',
    // Without the checks of foreign keys, any order is right.
    'set local session_replication_role = replica',
    ...tables.filter(({ name }) => !kept.has(name)).map(({ name }) => `delete from ${name}`),
    ...sequences.map(({ name }) => `alter sequence ${name} restart`),
    'commit',
  ].join('; ');
}
