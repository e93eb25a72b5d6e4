import express, { type ErrorRequestHandler } from 'express';
import { pino } from 'pino';
import { ManagementClient } from '../../../src/management/management-client.js';
import { ManagementError } from '../../../src/management/management-error.js';
import { ApiKeyService } from '../../accounts/api-key-service.js';
import { ApiSecretService } from '../../accounts/api-secret-service.js';
import { DashboardLogin } from '../../accounts/dashboard-login.js';
import { MemberService } from '../../accounts/member-service.js';
import { ALL_PERMISSIONS } from '../../accounts/permission.js';
import type { CountrySource } from '../../admission/country-source.js';
import { publicUrlOf, type Config } from '../../config/config.js';
import { openCountries } from '../../composition/open-countries.js';
import { errorHandler } from '../../http/middleware/error-handler.js';
import { managementAccessAs } from '../../http/management/management-access.js';
import { managementRoutes } from '../../http/management/management-routes.js';
import { currentActor } from '../../oversight/actor.js';
import { RefusalLog } from '../../oversight/refusal-log.js';
import type { Database } from '../../store/schema.js';
import { openServerKeys } from '../../store/keys/server-keys.js';
import { SqlApiKeyStore } from '../../store/tables/sql-api-key-store.js';
import { SqlApiSecretStore } from '../../store/tables/sql-api-secret-store.js';
import { SqlAuditStore } from '../../store/tables/sql-audit-store.js';
import { SqlRefusalStore } from '../../store/tables/sql-refusal-store.js';
import { SqlDashboardLoginStore } from '../../store/tables/sql-dashboard-login-store.js';
import { SqlMemberStore } from '../../store/tables/sql-member-store.js';
import { SqlSessionStore } from '../../store/tables/sql-session-store.js';
import { SqlStatisticsStore } from '../../store/tables/sql-statistics-store.js';
import { SqlViewingStore } from '../../store/tables/sql-viewing-store.js';
import { Statistics } from '../../statistics/statistics.js';
import type { TokenSeal } from '../../store/tables/sql-token-rows.js';
import { SqlThemeStore } from '../../store/tables/sql-theme-store.js';
import { ThemeService } from '../../accounts/theme/theme-service.js';
import { SqlScheduleStore } from '../../store/tables/sql-schedule-store.js';
import { ScheduleService } from '../../accounts/schedule/schedule-service.js';
import { SqlDeliveryStore } from '../../store/tables/sql-delivery-store.js';
import { SqlWebhookStore } from '../../store/tables/sql-webhook-store.js';
import { SqlUpstreamStore } from '../../store/tables/sql-upstream-store.js';
import { UpstreamService } from '../../upstream/upstream-service.js';
import { TargetAddresses } from '../../outbound/target-addresses.js';
import { WebhookService } from '../../webhooks/webhook-service.js';
import { SqlTokenLabels } from '../../store/tables/sql-token-labels.js';
import { SqlTokenStore } from '../../store/tables/sql-token-store.js';
import { TokenDirectory } from '../../tokens/token-directory.js';
import { TokenService } from '../../tokens/token-service.js';
import { ValueSeal } from '../../store/keys/value-seal.js';
import { recordingLibrary } from '../../composition/open-recording.js';
import type { RecordingLibrary } from '../../recording/recording-library.js';
import { RecordingQuota } from '../../recording/recording-quota.js';
import { SqlRecordingStore } from '../../store/tables/sql-recording-store.js';
import { inProcessFetch } from './in-process-fetch.js';
import { offlineExplain } from './offline-explain.js';

/** An account whose data folder is open. */
export interface DataFolderAccount {
  readonly config: Config;
  readonly db: Database;
  readonly accountId: string;
}

/**
 * Gives `call` a management client that is answered inside this process, from the database. No server has to run, and
 * the account needs no API secret. The audit log names the current actor. Servers on the same database are notified of
 * changes.
 */
export async function withDataFolderClient<Result>(
  { config, db, accountId }: DataFolderAccount,
  call: (client: ManagementClient) => Promise<Result>,
): Promise<Result> {
  const seal = new SealOnUse(async () => new ValueSeal((await openServerKeys(db, config)).sealKey));
  const store = new SqlTokenStore(db, seal);
  const routes = managementRoutes({
    access: managementAccessAs({ accountId, actor: currentActor(), permissions: ALL_PERMISSIONS }),
    tokens: new TokenService({ store, directory: new TokenDirectory(), knowsCountries: config.geoipDb !== undefined }),
    labels: new SqlTokenLabels(db),
    secrets: new ApiSecretService(new SqlApiSecretStore(db)),
    keys: new ApiKeyService(new SqlApiKeyStore(db)),
    explain: offlineExplain(store, countriesOnUse(config)),
    refusals: new RefusalLog({ store: new SqlRefusalStore(db) }),
    sessions: new SqlSessionStore(db),
    countries: countriesOnUse(config),
    dashboard: new DashboardLogin(new SqlDashboardLoginStore(db)),
    members: new MemberService(new SqlMemberStore(db)),
    themes: new ThemeService(new SqlThemeStore(db)),
    schedule: new ScheduleService(new SqlScheduleStore(db)),
    upstreams: new UpstreamService({
      store: new SqlUpstreamStore(db, seal),
      addresses: new TargetAddresses(config.upstreamAllowedNetworks),
    }),
    webhooks: new WebhookService({
      store: new SqlWebhookStore(db, seal),
      deliveries: new SqlDeliveryStore(db, seal),
      addresses: new TargetAddresses(config.webhookAllowedNetworks),
    }),
    recordings: libraryOf(config, db),
    publicUrl: publicUrlOf(config),
    statistics: new Statistics({ store: new SqlStatisticsStore(db), viewing: new SqlViewingStore(db) }),
    audit: new SqlAuditStore(db),
  });

  let cause: unknown;
  const keepCause: ErrorRequestHandler = (error, _req, _res, next) => {
    cause = error;
    next(error);
  };
  const app = express();
  app.use(SEALED_ROUTES, async (_req, _res, next) => {
    await seal.ready();
    next();
  });
  app.use(routes, keepCause, errorHandler(pino({ level: 'silent' })));
  try {
    return await call(new ManagementClient({ endpoint: 'http://data.folder', fetch: inProcessFetch(app) }));
  } catch (error) {
    // HTTP clients get no details of an internal error. The user of the CLI does, such as a wrong encryption key.
    throw error instanceof ManagementError && error.code === 'internal' ? cause : error;
  }
}

function libraryOf(config: Config, db: Database): RecordingLibrary {
  const store = new SqlRecordingStore(db);
  const log = pino({ level: 'silent' });
  const isAvailable = config.recordingsDir !== undefined;
  const quota = new RecordingQuota(store, log);
  return recordingLibrary(config, { store, quota, isAvailable, now: Date.now, log }).library;
}

/** Opens the database of countries for the first address: most commands need none. */
function countriesOnUse(config: Config): CountrySource {
  let countries: ReturnType<typeof openCountries>;
  return { countryOf: (address) => (countries ??= openCountries(config, { checkEveryMs: 0 }))?.countryOf(address) };
}

/** Their answers contain values that are sealed in the database. */
const SEALED_ROUTES = [
  '/api/upstreams',
  '/api/webhooks',
  '/api/explain',
  '/api/stats/tokens',
  ...['publish_token', 'subscribe_token'].flatMap((kind) => [`/api/${kind}`, `/api/v2/${kind}`]),
];

/** Opens the encryption key only for routes of tokens, webhooks and upstreams. The audit log can be read without a key. */
class SealOnUse implements TokenSeal {
  readonly #open: () => Promise<ValueSeal>;
  #seal: ValueSeal | undefined;

  constructor(open: () => Promise<ValueSeal>) {
    this.#open = open;
  }

  /** To be called before `seal` and `open`. Rejects if the key is missing or is not the key of the database. */
  async ready(): Promise<void> {
    this.#seal ??= await this.#open();
  }

  seal(value: string, context: string): string {
    return this.#opened.seal(value, context);
  }

  open(sealed: string, context: string): string {
    return this.#opened.open(sealed, context);
  }

  get #opened(): ValueSeal {
    if (!this.#seal) throw new Error('call ready() before the key is used');
    return this.#seal;
  }
}
