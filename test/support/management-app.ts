import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import express, { type Request, type RequestHandler } from 'express';
import { pino } from 'pino';
import { ApiSecretService } from '../../server/accounts/api-secret-service.js';
import { DashboardLogin } from '../../server/accounts/dashboard-login.js';
import { FailedAttempts } from '../../server/accounts/failed-attempts.js';
import { errorHandler } from '../../server/http/middleware/error-handler.js';
import { jsonBody } from '../../server/http/middleware/json-body.js';
import { managementAccess } from '../../server/http/middleware/management-access.js';
import { notFound } from '../../server/http/middleware/not-found.js';
import { auditRoutes } from '../../server/http/routes/audit.js';
import { dashboardLoginRoutes } from '../../server/http/routes/dashboard-login.js';
import { healthRoutes } from '../../server/http/routes/health.js';
import { publishTokenRoutes, publishTokenUpdateRoutes } from '../../server/http/routes/publish-tokens.js';
import { refusalRoutes } from '../../server/http/routes/refusals.js';
import { subscribeTokenRoutes, subscribeTokenUpdateRoutes } from '../../server/http/routes/subscribe-tokens.js';
import { RefusalLog } from '../../server/oversight/refusal-log.js';
import { openDatabase } from '../../server/store/database.js';
import { openKeys } from '../../server/store/key-file.js';
import { SqlAccountStore } from '../../server/store/sql-account-store.js';
import { SqlApiSecretStore } from '../../server/store/sql-api-secret-store.js';
import { SqlAuditStore } from '../../server/store/sql-audit-store.js';
import { SqlDashboardLoginStore } from '../../server/store/sql-dashboard-login-store.js';
import { SqlRefusalStore } from '../../server/store/sql-refusal-store.js';
import { SqlTokenStore } from '../../server/store/sql-token-store.js';
import { TokenDirectory } from '../../server/tokens/token-directory.js';
import { TokenService } from '../../server/tokens/token-service.js';
import { ValueSeal } from '../../server/tokens/value-seal.js';
import type { Cleanup } from './cleanup.js';
import { dataFolder } from './data-folder.js';

export const NOW = Date.parse('2030-01-01T00:00:00Z');

export interface ManagementAppOptions {
  readonly publicUrl?: string;
  /** Stands before the routes, for what only a test does. */
  readonly before?: RequestHandler;
}

/** The management API with the accounts `acme` and `other`, listening on the loopback address, without any media. */
export async function managementApp(cleanup: Cleanup, { publicUrl, before }: ManagementAppOptions = {}) {
  const folder = await dataFolder(cleanup);
  const db = await openDatabase(folder);
  const clock = { now: NOW };
  const now = () => clock.now;
  const accounts = new SqlAccountStore(db, now);
  for (const id of ['acme', 'other']) await accounts.create(id);
  const secrets = new ApiSecretService(new SqlApiSecretStore(db), now);
  const dashboard = new DashboardLogin(new SqlDashboardLoginStore(db), now);
  const directory = new TokenDirectory();
  const refusals = new RefusalLog({ store: new SqlRefusalStore(db), now });
  const store = new SqlTokenStore(db, new ValueSeal(openKeys(folder).sealKey), now);
  const tokens = new TokenService({ store, directory, now });
  const log = { text: '' };
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.text += String(chunk);
      done();
    },
  });

  const app = express();
  if (before) app.use(before);
  const attempts = new FailedAttempts();
  const clientAddress = (req: Request): string => req.socket.remoteAddress ?? '';
  const management = [managementAccess({ secrets, dashboard, attempts, clientAddress, publicUrl }), jsonBody()];
  const live = new Map<string, number>();
  const liveTokenIds = (accountId: string, streamId?: string) =>
    [...live].flatMap(([id, token]) =>
      id === streamId || (!streamId && id.startsWith(`${accountId}/`)) ? [token] : [],
    );
  app.use('/api/publish_token', management, publishTokenRoutes(tokens, liveTokenIds));
  app.use('/api/v2/publish_token', management, publishTokenUpdateRoutes(tokens));
  app.use('/api/subscribe_token', management, subscribeTokenRoutes(tokens));
  app.use('/api/v2/subscribe_token', management, subscribeTokenUpdateRoutes(tokens));
  app.use('/api/refusals', management, refusalRoutes(refusals));
  app.use('/api/audit', management, auditRoutes(new SqlAuditStore(db)));
  app.use('/api/dashboard', jsonBody(), dashboardLoginRoutes({ dashboard, attempts, clientAddress, publicUrl }));
  app.use(healthRoutes());
  app.use(notFound());
  app.use(errorHandler(pino({ level: 'trace' }, destination)));

  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await db.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    clock,
    secrets,
    dashboard,
    directory,
    tokens,
    live,
    refusals,
    log,
    secret: await secrets.create('acme'),
  };
}

export type ManagementApp = Awaited<ReturnType<typeof managementApp>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** As it came: a test says what it expects of it. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** One request with the secret of `acme`; `headers` may replace it. Strings are sent as they are. */
export async function ask(
  app: ManagementApp,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(app.origin + path, {
    method,
    headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}
