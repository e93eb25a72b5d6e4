import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Router } from 'express';
import { pino, type Logger } from 'pino';
import type { AccountStore } from './accounts/account-store.js';
import { ApiSecretService } from './accounts/api-secret-service.js';
import { DashboardLogin } from './accounts/dashboard-login.js';
import { Admission } from './admission/admission.js';
import { Enforcement } from './admission/enforcement.js';
import { GrantSigner } from './admission/grant-signer.js';
import { ResumeTokens } from './admission/resume-tokens.js';
import { IceServers } from './admission/ice-servers.js';
import { createApp, createRouter } from './app.js';
import type { Config } from './config/config.js';
import { createClientAddress } from './http/request/client-address.js';
import { Director } from './http/director/director.js';
import { ingestRoutes } from './ingest/ingest-routes.js';
import { IngestSessions } from './ingest/ingest-sessions.js';
import { createEmbeddedEngine } from './media/embedded/embedded-engine.js';
import type { MediaEngine } from './media/media-engine.js';
import { OpenedResources } from './opened-resources.js';
import { RefusalLog } from './oversight/refusal-log.js';
import { createPruningJobs } from './pruning-jobs.js';
import { publicDir } from './http/pages/public-dir.js';
import { Sessions } from './sessions/sessions.js';
import { SignallingServer } from './signalling/signalling-server.js';
import { createDatabaseMonitor, openDatabase, createTokenChangeFeed } from './store/database.js';
import { exposedKeyFile } from './store/keys/key-file.js';
import { logDatabaseProblems } from './store/availability/log-problems.js';
import { openServerKeys } from './store/keys/server-keys.js';
import { SqlAccountStore } from './store/tables/sql-account-store.js';
import { SqlApiSecretStore } from './store/tables/sql-api-secret-store.js';
import { SqlAuditStore } from './store/tables/sql-audit-store.js';
import { SqlDashboardLoginStore } from './store/tables/sql-dashboard-login-store.js';
import { SqlRefusalStore } from './store/tables/sql-refusal-store.js';
import { SqlTokenStore } from './store/tables/sql-token-store.js';
import { StreamRegistry } from './streams/stream-registry.js';
import { CredentialReader } from './tokens/credential-reader.js';
import { credentialRefresh } from './tokens/credential-refresh.js';
import { TokenDirectory } from './tokens/token-directory.js';
import { TokenFollower } from './tokens/token-follower.js';
import { TokenService } from './tokens/token-service.js';
import { ValueSeal } from './store/keys/value-seal.js';

/** What a caller may bring of his own; the rest is made from the configuration. */
export interface StreamServerOptions {
  /** Carries the media. Closed with the server; left open if there will be none. */
  readonly engine?: MediaEngine;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: Logger;
}

export interface StreamServer {
  readonly accounts: AccountStore;
  readonly secrets: ApiSecretService;
  readonly dashboard: DashboardLogin;
  readonly tokens: TokenService;
  /** Everything over HTTP, to mount at the root of an Express app: `app.use(server.router)`. */
  readonly router: Router;
  /** Takes the websocket upgrades of a server that `router` is mounted in. `listen` does it by itself. */
  attach(server: Server): void;
  /** @returns the address it listens on */
  listen(): Promise<AddressInfo>;
  /** Tells every session, ends all media, and frees port and files. */
  close(): Promise<void>;
}

/**
 * Puts a server together: opens the data folder, loads the tokens and starts the media engine. It listens only when
 * told to.
 * @throws {DataDirError} the data folder cannot be used
 * @throws {DatabaseError} the database of `databaseUrl` cannot be used
 * @throws {EncryptionKeyError} the database belongs to another key
 * @throws {MediaError} `engine_unavailable`, as when its UDP port is taken
 */
export async function createStreamServer(config: Config, parts: StreamServerOptions = {}): Promise<StreamServer> {
  const { now = Date.now, log = pino({ level: config.logLevel, base: null }) } = parts;
  const opened = new OpenedResources();
  try {
    return await assemble(config, parts, opened, { now, log });
  } catch (error) {
    // Why it failed counts more than what then could not be closed.
    await opened.close().catch((err: unknown) => log.warn({ err }, 'a server that did not start left something open'));
    throw error;
  }
}

/** Opens everything there is in a server, and adds it to `opened` at once: any later step may fail. */
async function assemble(
  config: Config,
  parts: StreamServerOptions,
  opened: OpenedResources,
  { now, log }: { now: () => number; log: Logger },
): Promise<StreamServer> {
  const watch = createDatabaseMonitor(config.dataDir, config.databaseUrl);
  opened.add(() => watch.close());
  logDatabaseProblems(watch, log);
  const db = await openDatabase(config.dataDir, config.databaseUrl, { watch });
  opened.add(() => db.destroy());
  watch.takeReserve();
  const changes = createTokenChangeFeed(db, config.databaseUrl, watch);
  const keys = await openServerKeys(db, config);
  const exposed = config.encryptionKey ? undefined : exposedKeyFile(config.dataDir);
  if (exposed) {
    const { file, mode } = exposed;
    log.warn({ file, mode }, 'other users of the machine may use the key file: take it from them with chmod 600');
  }
  const directory = new TokenDirectory();
  const store = new SqlTokenStore(db, new ValueSeal(keys.sealKey), {
    now,
    onUnreadable: (tokenId) =>
      log.error(
        { tokenId, code: 'encryption_key_wrong' },
        'the value of a token cannot be opened with this key: refresh or delete the token',
      ),
  });
  const tokens = new TokenService({ store, directory, now });
  const follower = new TokenFollower({ store, directory, changes });
  follower.on('changed', (id) => tokens.emit('changed', id));
  opened.add(() => follower.close());
  await follower.start();

  const refusals = new RefusalLog({
    store: new SqlRefusalStore(db),
    now,
    onDropped: (count, error) => log.warn({ count, err: error }, 'refusals were not kept'),
  });
  opened.add(() => refusals.close());
  const engine = parts.engine ?? (await startEngine(config, log));
  let isComplete = false;
  // An engine that was brought along is the caller's again if there is no server.
  opened.add(() => (isComplete || !parts.engine ? engine.close() : undefined));
  const streams = new StreamRegistry(engine, {
    resumeWithinMs: config.resumeWithinS * 1000,
    now,
    onFault: (err) => log.error({ err }, 'a stream could not follow its media'),
  });
  const credentials = new CredentialReader(directory);
  const refreshIfStale = credentialRefresh({ credentials, follower, now });
  const admission = new Admission({
    tokens: {
      findByValue: (value) => credentials.read(value, now()),
      findById: (id) => directory.findById(id),
      bindAddress: (id, address) => tokens.bindAddress(id, address),
      refreshIfStale,
      refreshTokenIfStale: (id) => follower.refreshTokenIfStale(id),
    },
    streams,
    now,
    onRefused: ({ kind, accountId, token, streamName, origin, address }, reason) =>
      refusals.record({ kind, accountId, tokenId: token?.id ?? null, streamName, origin, address, reason }),
  });
  const enforcement = new Enforcement({
    recheck: (grant) => admission.recheck(grant),
    expiryOf: (id) => directory.findById(id)?.expiresOn ?? null,
    now,
    onFault: (err, { grant }) => log.error({ session: grant.sessionId, err }, 'a session could not be decided again'),
  });
  streams.on('publishers-changed', (streamId) => enforcement.streamChanged(streamId));
  tokens.on('changed', (id) => enforcement.tokenChanged(id));
  const serverId = randomBytes(16).toString('hex');
  const grants = new GrantSigner(keys.grantKey);
  const sessions = new Sessions({
    engine,
    streams,
    enforcement,
    onTaken: ({ accountId, tokenId, streamName, origin, address }) => {
      const place = { streamName, origin: origin ?? undefined, address };
      refusals.record({ kind: 'publish', accountId, tokenId, ...place, reason: 'stream_in_use' });
    },
    log,
  });

  const audit = new SqlAuditStore(db);
  const prunings = createPruningJobs({ audit, tokens, config, now, log });
  opened.add(() => Promise.all(prunings.map((pruning) => pruning.close())));
  const accounts = new SqlAccountStore(db, now);
  const secrets = new ApiSecretService(new SqlApiSecretStore(db), now);
  const dashboard = new DashboardLogin(new SqlDashboardLoginStore(db), now);
  const clientAddress = createClientAddress(config.trustedProxies, {
    onUntrustedForward: (peer) =>
      log.warn({ peer }, 'a peer that TRUSTED_PROXIES does not name forwards for others: its own address counts'),
  });
  const resumeTokens = new ResumeTokens(keys.grantKey);
  const signalling = new SignallingServer({ admission, sessions, grants, resumeTokens, clientAddress, now, log });
  let stopped: Promise<void> | undefined;
  opened.add(() => stopped);
  opened.add(() => signalling.close());
  opened.add(() => sessions.close());
  opened.add(() => enforcement.close());
  const { publicUrl } = config;
  const iceServers = new IceServers(config);
  const director = new Director({
    admission,
    grants,
    iceServers,
    clientAddress,
    startViewerSession: (...call) => signalling.startSession(...call),
    now,
    serverId,
    publicUrl,
  });
  const ingest = ingestRoutes({
    admission,
    sessions: new IngestSessions(sessions),
    iceServers,
    clientAddress,
    publicUrl,
    now,
    log,
  });
  const router = createRouter({
    director,
    ingest,
    admission,
    clientAddress,
    publicUrl,
    tokens,
    streams,
    refusals,
    audit,
    findToken: (id) => directory.findById(id),
    secrets,
    dashboard,
    publicDir: publicDir(),
    problems: () => watch.problems,
    log,
  });

  for (const pruning of prunings) pruning.start();

  let listening: Server | undefined;
  isComplete = true;
  return {
    accounts,
    secrets,
    dashboard,
    tokens,
    router,
    attach: (server) => signalling.attach(server),
    async listen() {
      const server = createServer(createApp(router, director, log));
      signalling.attach(server);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.port, config.host, resolve);
      });
      listening = server;
      return server.address() as AddressInfo;
    },
    async close() {
      // Nobody new comes in while the sessions are told.
      stopped ??= stop(listening);
      await opened.close();
    },
  };
}

async function startEngine(config: Config, log: Logger): Promise<MediaEngine> {
  return createEmbeddedEngine({
    bindAddress: config.mediaHost,
    udpPort: config.mediaUdpPort,
    tcpPort: config.mediaTcpPort,
    workers: config.mediaWorkers,
    announcedIps: config.mediaAnnouncedIps,
    onLog: ({ level, message, ...fields }) => log[level](fields, message),
  });
}

async function stop(server: Server | undefined): Promise<void> {
  if (!server) return;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const impatience = setTimeout(() => server.closeAllConnections(), 1000);
  await closed;
  clearTimeout(impatience);
}
