import { createSecretKey, randomBytes } from 'node:crypto';
import { openDatabase } from '../../server/store/database.js';
import type { Database } from '../../server/store/schema.js';
import { SqlAccountStore } from '../../server/store/tables/sql-account-store.js';
import { SqlTokenStore } from '../../server/store/tables/sql-token-store.js';
import { ValueSeal } from '../../server/store/keys/value-seal.js';
import { Cleanup } from '../../test/support/cleanup.js';
import { dataFolder } from '../../test/support/data-folder.js';
import { startPostgres } from '../../test/support/postgres.js';

export interface TestDatabase {
  readonly db: Database;
  /** Seals the values of its tokens. */
  readonly seal: ValueSeal;
  /** One store for each server that shares the database. */
  readonly stores: readonly [SqlTokenStore, ...SqlTokenStore[]];
}

const SERVERS = 4;

/** Opens an empty database of each kind with durable settings and the account `acme`. Several servers share PostgreSQL. */
export async function withDatabases<Result>(
  work: (databases: { readonly sqlite: TestDatabase; readonly postgres: TestDatabase }) => Promise<Result>,
): Promise<Result> {
  const cleanup = new Cleanup();
  const seal = new ValueSeal(createSecretKey(randomBytes(32)));
  const opened = async (dataDir: string, databaseUrl?: string): Promise<TestDatabase> => {
    const db = await openDatabase(dataDir, databaseUrl);
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    return { db, seal, stores: [new SqlTokenStore(db, seal)] };
  };
  try {
    const server = await startPostgres({ durable: true });
    cleanup.after(() => server.stop());
    const url = await server.newDatabase();
    const { db, stores } = await opened('', url);
    const others = await Promise.all(Array.from({ length: SERVERS - 1 }, () => opened('', url)));
    const postgres: TestDatabase = { db, seal, stores: [...stores, ...others.map((other) => other.stores[0])] };
    return await work({ sqlite: await opened(await dataFolder(cleanup)), postgres });
  } finally {
    await cleanup.run();
  }
}
