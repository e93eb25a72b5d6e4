import { createSecretKey, randomBytes } from 'node:crypto';
import type { Database } from '../../../server/store/schema.js';
import { SqlAccountStore } from '../../../server/store/tables/sql-account-store.js';
import { SqlApiKeyStore } from '../../../server/store/tables/sql-api-key-store.js';
import { SqlApiSecretStore } from '../../../server/store/tables/sql-api-secret-store.js';
import { SqlAuditStore } from '../../../server/store/tables/sql-audit-store.js';
import { SqlDashboardLoginStore } from '../../../server/store/tables/sql-dashboard-login-store.js';
import { SqlMemberStore } from '../../../server/store/tables/sql-member-store.js';
import { SqlPasskeyStore } from '../../../server/store/tables/sql-passkey-store.js';
import { SqlAttemptStore } from '../../../server/store/tables/sql-attempt-store.js';
import { SqlPasswordStore } from '../../../server/store/tables/sql-password-store.js';
import { SqlRefusalStore } from '../../../server/store/tables/sql-refusal-store.js';
import { SqlSessionStore } from '../../../server/store/tables/sql-session-store.js';
import { SqlStatisticsStore } from '../../../server/store/tables/sql-statistics-store.js';
import { SqlRecordingStore } from '../../../server/store/tables/sql-recording-store.js';
import { SqlScheduleStore } from '../../../server/store/tables/sql-schedule-store.js';
import { SqlAccountLimitStore } from '../../../server/store/tables/sql-account-limit-store.js';
import { SqlThemeStore } from '../../../server/store/tables/sql-theme-store.js';
import { SqlViewingStore } from '../../../server/store/tables/sql-viewing-store.js';
import { SqlTokenStore } from '../../../server/store/tables/sql-token-store.js';
import { SqlDeliveryStore } from '../../../server/store/tables/sql-delivery-store.js';
import { SqlTokenEventStore } from '../../../server/store/tables/sql-token-event-store.js';
import { SqlSessionNotes } from '../../../server/store/tables/sql-session-notes.js';
import { SqlUpstreamStore } from '../../../server/store/tables/sql-upstream-store.js';
import { SqlWebhookStore } from '../../../server/store/tables/sql-webhook-store.js';
import { ValueSeal } from '../../../server/store/keys/value-seal.js';
import type { Cleanup } from '../../support/cleanup.js';
import { accountStoreContract } from './tables/account-store.contract.js';
import { apiKeyStoreContract } from './tables/api-key-store.contract.js';
import { apiSecretStoreContract } from './tables/api-secret-store.contract.js';
import { auditStoreContract } from './tables/audit-store.contract.js';
import { dashboardLoginStoreContract } from './tables/dashboard-login-store.contract.js';
import { memberStoreContract } from './tables/member-store.contract.js';
import { passkeyStoreContract } from './tables/passkey-store.contract.js';
import { attemptStoreContract } from './tables/attempt-store.contract.js';
import { passwordStoreContract } from './tables/password-store.contract.js';
import { refusalStoreContract } from './tables/refusal-store.contract.js';
import { sessionStoreContract } from './tables/session-store.contract.js';
import { recordingStoreContract } from './tables/recording-store.contract.js';
import { scheduleStoreContract } from './tables/schedule-store.contract.js';
import { accountLimitStoreContract } from './tables/account-limit-store.contract.js';
import { themeStoreContract } from './tables/theme-store.contract.js';
import { statisticsStoreContract } from './tables/statistics-store.contract.js';
import { serverKeysContract } from './keys/server-keys.contract.js';
import { tokenStoreContract } from './tables/token-store.contract.js';
import { upstreamStoreContract } from './tables/upstream-store.contract.js';
import { webhookStoreContract } from './tables/webhook-store.contract.js';
import { unreadableRowsContract } from './unreadable-rows.contract.js';
import { viewingStoreContract } from './tables/viewing-store.contract.js';

/** The contracts of all stores, on the database called `name`. `open` returns an empty database, and closes it. */
export function everyStoreContract(name: string, open: (cleanup: Cleanup) => Promise<Database>): void {
  const seal = new ValueSeal(createSecretKey(randomBytes(32)));

  const opened = async (cleanup: Cleanup, ...accounts: string[]): Promise<Database> => {
    const db = await open(cleanup);
    const store = new SqlAccountStore(db);
    for (const id of accounts) await store.create(id);
    return db;
  };

  accountStoreContract(name, async (cleanup, now) => new SqlAccountStore(await opened(cleanup), now));
  apiSecretStoreContract(name, async (cleanup) => new SqlApiSecretStore(await opened(cleanup, 'acme', 'other')));
  apiKeyStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return { keys: new SqlApiKeyStore(db), audit: new SqlAuditStore(db) };
  });
  dashboardLoginStoreContract(
    name,
    async (cleanup) => new SqlDashboardLoginStore(await opened(cleanup, 'acme', 'other')),
  );
  serverKeysContract(name, (cleanup) => opened(cleanup, 'acme'));
  tokenStoreContract(
    name,
    async (cleanup, now) => new SqlTokenStore(await opened(cleanup, 'acme', 'other'), seal, { now }),
  );
  refusalStoreContract(name, async (cleanup, ...accounts) => new SqlRefusalStore(await opened(cleanup, ...accounts)));
  sessionStoreContract(name, async (cleanup, ...accounts) => new SqlSessionStore(await opened(cleanup, ...accounts)));
  memberStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return {
      members: new SqlMemberStore(db),
      logins: new SqlDashboardLoginStore(db),
      db,
      audit: new SqlAuditStore(db),
    };
  });
  passkeyStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return {
      passkeys: new SqlPasskeyStore(db),
      members: new SqlMemberStore(db),
      logins: new SqlDashboardLoginStore(db),
      audit: new SqlAuditStore(db),
    };
  });
  passwordStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return {
      passwords: new SqlPasswordStore(db, { open: (sealed) => sealed }),
      passkeys: new SqlPasskeyStore(db),
      members: new SqlMemberStore(db),
      logins: new SqlDashboardLoginStore(db),
      audit: new SqlAuditStore(db),
    };
  });
  accountLimitStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return { limits: new SqlAccountLimitStore(db), audit: new SqlAuditStore(db) };
  });
  themeStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return { themes: new SqlThemeStore(db), audit: new SqlAuditStore(db) };
  });
  scheduleStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return { schedule: new SqlScheduleStore(db), audit: new SqlAuditStore(db), db };
  });
  recordingStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    const tokens = new SqlTokenStore(db, seal);
    return { recordings: new SqlRecordingStore(db), audit: new SqlAuditStore(db), tokens, db };
  });
  upstreamStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    const notes = new SqlSessionNotes(db, seal);
    return { upstreams: new SqlUpstreamStore(db, seal), notes, audit: new SqlAuditStore(db), db };
  });
  webhookStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return {
      webhooks: new SqlWebhookStore(db, seal),
      deliveries: new SqlDeliveryStore(db, seal),
      tokenEvents: new SqlTokenEventStore(db),
      recordings: new SqlRecordingStore(db),
      tokens: new SqlTokenStore(db, seal),
      audit: new SqlAuditStore(db),
      db,
    };
  });
  attemptStoreContract(name, async (cleanup) => new SqlAttemptStore(await opened(cleanup)));
  statisticsStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return { sessions: new SqlSessionStore(db), statistics: new SqlStatisticsStore(db) };
  });
  unreadableRowsContract(name, seal, (cleanup) => opened(cleanup, 'acme', 'other'));
  viewingStoreContract(name, async (cleanup) => {
    const db = await opened(cleanup, 'acme', 'other');
    return { viewing: new SqlViewingStore(db), statistics: new SqlStatisticsStore(db) };
  });
  auditStoreContract(name, async (cleanup, now) => {
    const db = await opened(cleanup, 'acme');
    return {
      audit: new SqlAuditStore(db),
      accounts: new SqlAccountStore(db, now),
      secrets: new SqlApiSecretStore(db),
      logins: new SqlDashboardLoginStore(db),
      tokens: new SqlTokenStore(db, seal, { now }),
    };
  });
}
