import { createSecretKey, randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import { openDatabase, type Database } from '../../../server/store/database.js';
import { SqlAccountStore } from '../../../server/store/sql-account-store.js';
import { SqlApiSecretStore } from '../../../server/store/sql-api-secret-store.js';
import { SqlDashboardLoginStore } from '../../../server/store/sql-dashboard-login-store.js';
import { SqlTokenStore } from '../../../server/store/sql-token-store.js';
import { ValueSeal } from '../../../server/tokens/value-seal.js';
import type { Cleanup } from '../../support/cleanup.js';
import { startPostgres, type TestPostgres } from '../../support/postgres.js';
import { accountStoreContract } from './account-store.contract.js';
import { apiSecretStoreContract } from './api-secret-store.contract.js';
import { dashboardLoginStoreContract } from './dashboard-login-store.contract.js';
import { tokenStoreContract } from './token-store.contract.js';

let postgres: TestPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

async function opened(cleanup: Cleanup, ...accounts: string[]): Promise<Database> {
  const db = await openDatabase('', await postgres.newDatabase());
  cleanup.after(() => db.destroy());
  const store = new SqlAccountStore(db);
  for (const id of accounts) await store.create(id);
  return db;
}

const seal = new ValueSeal(createSecretKey(randomBytes(32)));

accountStoreContract('PostgreSQL', async (cleanup, now) => new SqlAccountStore(await opened(cleanup), now));
apiSecretStoreContract('PostgreSQL', async (cleanup) => new SqlApiSecretStore(await opened(cleanup, 'acme', 'other')));
dashboardLoginStoreContract('PostgreSQL', async (cleanup) => new SqlDashboardLoginStore(await opened(cleanup, 'acme')));
tokenStoreContract('PostgreSQL', async (cleanup) => new SqlTokenStore(await opened(cleanup, 'acme', 'other'), seal));
