import { createSecretKey, randomBytes } from 'node:crypto';
import { openDatabase, type Database } from '../../../server/store/database.js';
import { SqlAccountStore } from '../../../server/store/sql-account-store.js';
import { SqlApiSecretStore } from '../../../server/store/sql-api-secret-store.js';
import { SqlAuditStore } from '../../../server/store/sql-audit-store.js';
import { SqlDashboardLoginStore } from '../../../server/store/sql-dashboard-login-store.js';
import { SqlRefusalStore } from '../../../server/store/sql-refusal-store.js';
import { SqlTokenStore } from '../../../server/store/sql-token-store.js';
import { ValueSeal } from '../../../server/tokens/value-seal.js';
import type { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { accountStoreContract } from './account-store.contract.js';
import { apiSecretStoreContract } from './api-secret-store.contract.js';
import { auditStoreContract } from './audit-store.contract.js';
import { dashboardLoginStoreContract } from './dashboard-login-store.contract.js';
import { refusalStoreContract } from './refusal-store.contract.js';
import { tokenStoreContract } from './token-store.contract.js';

async function opened(cleanup: Cleanup, ...accounts: string[]): Promise<Database> {
  const db = await openDatabase(await dataFolder(cleanup));
  cleanup.after(() => db.destroy());
  const store = new SqlAccountStore(db);
  for (const id of accounts) await store.create(id);
  return db;
}

const seal = new ValueSeal(createSecretKey(randomBytes(32)));

accountStoreContract('SQLite', async (cleanup, now) => new SqlAccountStore(await opened(cleanup), now));
apiSecretStoreContract('SQLite', async (cleanup) => new SqlApiSecretStore(await opened(cleanup, 'acme', 'other')));
dashboardLoginStoreContract('SQLite', async (cleanup) => new SqlDashboardLoginStore(await opened(cleanup, 'acme')));
tokenStoreContract('SQLite', async (cleanup) => new SqlTokenStore(await opened(cleanup, 'acme', 'other'), seal));
refusalStoreContract('SQLite', async (cleanup, ...accounts) => new SqlRefusalStore(await opened(cleanup, ...accounts)));
auditStoreContract('SQLite', async (cleanup, now) => {
  const db = await opened(cleanup, 'acme');
  return {
    audit: new SqlAuditStore(db),
    accounts: new SqlAccountStore(db, now),
    secrets: new SqlApiSecretStore(db),
    logins: new SqlDashboardLoginStore(db),
    tokens: new SqlTokenStore(db, seal, now),
  };
});
