import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import { openDatabase } from '../../server/store/database.js';
import type { Database } from '../../server/store/schema.js';
import { query, startPostgres, type TestPostgres } from './postgres.js';

/** The database of the shared server that has the tables of the server. */
export const MIGRATED = 'migrated';
/** The URL of the server that all files of this run share. */
const SHARED = process.env['TEST_POSTGRES'];

/** Databases for the tests of a suite. */
export interface SuitePostgres extends Pick<TestPostgres, 'adminUrl' | 'newDatabase'> {
  /** Creates a database with the tables of the server, and returns its URL. To copy one is faster than to migrate one. */
  migratedDatabase(): Promise<string>;
}

/**
 * Databases for one suite, or for one file, on the server that all files of a run share, or else on one of its own. Call
 * it where hooks are declared; use it in tests.
 * @param prepare changes the database that the migrated ones are copies of
 */
export function suitePostgres(prepare?: (db: Database) => Promise<void>): SuitePostgres {
  if (SHARED === undefined) return ownSuitePostgres(prepare);
  const made: string[] = [];
  after(() => Promise.all(made.map((name) => query(SHARED, `drop database if exists ${name} with (force)`))));
  const create = async (options = ''): Promise<string> => {
    const name = `test_${process.pid}_${made.length + 1}_${randomBytes(4).toString('hex')}`;
    made.push(name);
    await query(SHARED, `create database ${name} ${options}`);
    return urlOf(SHARED, name);
  };
  return { adminUrl: SHARED, newDatabase: create, migratedDatabase: copying({ create, prepare, original: MIGRATED }) };
}

/** As `suitePostgres`, always on a server of its own, which tests may kill and freeze. */
export function ownSuitePostgres(prepare?: (db: Database) => Promise<void>): SuitePostgres & TestPostgres {
  let server: TestPostgres;
  let made = 0;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  const create = async (options = ''): Promise<string> => {
    const name = `copy_${(made += 1)}`;
    await query(server.adminUrl, `create database ${name} ${options}`);
    return urlOf(server.adminUrl, name);
  };
  return {
    migratedDatabase: copying({ create, prepare }),
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

interface Template {
  /** Creates a database and returns its URL. @param options of the statement */
  readonly create: (options?: string) => Promise<string>;
  readonly prepare: ((db: Database) => Promise<void>) | undefined;
  /** A database that has the tables already. */
  readonly original?: string;
}

/** Makes copies of a database, which is prepared for the first. */
function copying({ create, prepare, original }: Template): () => Promise<string> {
  let template: Promise<string> | undefined;
  const prepared = async (): Promise<string> => {
    if (original !== undefined && !prepare) return original;
    const url = await create();
    const db = await openDatabase('', url);
    await prepare?.(db);
    // A database with connections cannot be copied.
    await db.destroy();
    return new URL(url).pathname.slice(1);
  };
  return async () => create(`template ${await (template ??= prepared())}`);
}

const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href;
