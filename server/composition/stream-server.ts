import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Router } from 'express';
import { pino, type Logger } from 'pino';
import type { AccountStore } from '../accounts/account-store.js';
import type { ApiSecretService } from '../accounts/api-secret-service.js';
import type { DashboardLogin } from '../accounts/dashboard-login.js';
import type { PasswordHasher } from '../accounts/passwords/password-hash.js';
import { NO_COUNTRIES } from '../admission/country-source.js';
import { DatabaseClock } from '../cluster/database-clock.js';
import type { Config } from '../config/config.js';
import { ContainedFaults } from '../faults/contained-faults.js';
import { healthOf, type HealthSources } from '../http/health.js';
import { publicDir } from '../http/pages/built-files.js';
import { relayRoutes } from '../http/relay-routes.js';
import type { RtmpListener } from '../ingest/rtmp/rtmp-listener.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import { logRedaction } from '../log-redaction.js';
import { admissionMetrics } from '../metrics/admission-metrics.js';
import { certificateMetrics } from '../metrics/certificate-metrics.js';
import { databaseMetrics } from '../metrics/database-metrics.js';
import { faultMetrics } from '../metrics/fault-metrics.js';
import { healthMetrics } from '../metrics/health-metrics.js';
import { mediaMetrics } from '../metrics/media-metrics.js';
import { firstPictureMetrics, sessionMetrics, waitingGuestsMetrics } from '../metrics/session-metrics.js';
import { versionMetrics } from '../metrics/version-metrics.js';
import { monotonicNow } from '../monotonic-now.js';
import type { RewindOptions } from '../recording/hls/rewind.js';
import type { RecordingControl } from '../recording/recording-control.js';
import { drain } from '../sessions/drain.js';
import { ServerLoad } from '../sessions/server-load.js';
import { Entrance } from '../sessions/entrance.js';
import { SqlAccountStore } from '../store/tables/sql-account-store.js';
import { CertificateFollower } from '../tls/certificate-follower.js';
import type { TokenService } from '../tokens/token-service.js';
import { createApp, createRouter } from './app.js';
import { openAccounts } from './open-accounts.js';
import { openAdmission } from './open-admission.js';
import { openClients, openWaitingGuests } from './open-clients.js';
import { openCluster } from './open-cluster.js';
import { openHealth } from './open-health.js';
import { openCountries } from './open-countries.js';
import { openManagement } from './open-management.js';
import { openMedia } from './open-media.js';
import { openMetrics } from './open-metrics.js';
import { openOversight } from './open-oversight.js';
import { openRecording } from './open-recording.js';
import { openRtmp } from './open-rtmp.js';
import { openSessions } from './open-sessions.js';
import { openStorage } from './open-storage.js';
import { openWebhooks } from './open-webhooks.js';
import { OpenedResources } from './opened-resources.js';
import { createPruningJobs } from './pruning-jobs.js';

/** How long a server waits for its clients to move to others if nothing else is configured, in seconds. */
const DRAIN_WITHIN_S = 20;

export interface StreamServerOptions {
  /** Absent: the embedded engine. Closed with the server. Left open if the server cannot be created. */
  readonly engine?: MediaEngine;
  /** What publishers switch on and off. Absent: the recordings of `recordingsDir`. */
  readonly recording?: RecordingControl;
  /** What viewers can go back in. Absent: the recordings of `recordingsDir`. */
  readonly recordings?: RewindOptions;
  /** Hashes the passwords of members. Absent: each hash takes about half a second. */
  readonly passwordHasher?: PasswordHasher;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: Logger;
}

export interface StreamServer {
  readonly accounts: AccountStore;
  readonly secrets: ApiSecretService;
  readonly dashboard: DashboardLogin;
  readonly tokens: TokenService;
  /** All HTTP routes, to mount at the root of an Express app: `app.use(server.router)`. */
  readonly router: Router;
  /** Where encoders connect over RTMP. Undefined: nowhere. */
  readonly rtmpPort: number | undefined;
  /** Serves the websocket upgrades of an HTTP server that `router` is mounted in. `listen` attaches by itself. */
  attach(server: Server): void;
  /** @returns the address that the server listens on */
  listen(): Promise<AddressInfo>;
  /**
   * Before `close`: opens no new session, sends the clients to the other servers on the database, and waits for them
   * (`drainWithinS`). Resolves at once if there are no others and no time is configured.
   * @param signal ends the wait
   */
  drain(signal: AbortSignal): Promise<void>;
  /** Ends every session with a notice, ends all media, and frees ports and files. */
  close(): Promise<void>;
}

/**
 * Creates a server: opens the data folder, loads the tokens and starts the media engine. The server listens when
 * `listen` is called.
 * @throws {ConfigError} a file of the TLS certificate, or OpenTelemetry, cannot be used
 * @throws {DataDirError} the data folder cannot be used
 * @throws {DataFolderInUseError} another server uses the data folder
 * @throws {DatabaseError} the database of `databaseUrl` cannot be used
 * @throws {NotificationsLostError} a connection pooler in front of `databaseUrl` delivers no notifications
 * @throws {EncryptionKeyError} the database was encrypted with another key
 * @throws {MediaError} `engine_unavailable`, for example when its UDP port is in use
 */
export async function createStreamServer(config: Config, options: StreamServerOptions = {}): Promise<StreamServer> {
  const { now = Date.now, log = pino({ level: config.logLevel, base: null, ...logRedaction }) } = options;
  const opened = new OpenedResources();
  try {
    const { engine, recording, recordings, passwordHasher } = options;
    return await assemble(config, opened, { engine, recording, recordings, passwordHasher, now, log });
  } catch (error) {
    // The caller needs the first error, not one of closing.
    await opened.abandon().catch((err: unknown) => log.warn({ err }, 'a failed start left resources open'));
    throw error;
  }
}

interface AssembleOptions {
  readonly engine: MediaEngine | undefined;
  readonly recording: RecordingControl | undefined;
  readonly recordings: RewindOptions | undefined;
  readonly passwordHasher: PasswordHasher | undefined;
  readonly now: () => number;
  readonly log: Logger;
}

/** Opens the parts of the server, each with those before it. What was opened last is closed first. */
async function assemble(config: Config, opened: OpenedResources, options: AssembleOptions): Promise<StreamServer> {
  const { log } = options;
  // With PostgreSQL, all servers go by the clock of the database.
  const clock = new DatabaseClock(options.now);
  const { now } = clock;
  // Closed last: what the others do while they close is told too.
  const faults = new ContainedFaults({ now, log });
  opened.add(() => faults.close());
  const certificates = config.tls && new CertificateFollower({ files: config.tls, now, log });
  opened.add(() => certificates?.close());
  const ownCountries = openCountries(config, {
    onReload: () => log.info('the new file of countries is in use'),
    onError: (err) => log.error({ err }, 'the new file of countries cannot be read: the one before stays in use'),
  });
  opened.add(() => ownCountries?.close());
  const countries = ownCountries ?? NO_COUNTRIES;

  const storage = await openStorage(config, opened, { now, log });
  const { db, monitor, rowFaults, tokens, labels } = storage;
  /** What most parts need. */
  const base = { config, ...storage, now, log };
  const cluster = await openCluster(opened, { ...base, clock });
  const {
    audit,
    refusals: refusalLog,
    sessions: sessionStore,
    recorder,
    statistics,
  } = openOversight(opened, {
    ...base,
    overloadedOn: () => media.ownEngine.overloadedOn?.(),
  });
  const webhooks = openWebhooks(opened, { ...base, cluster });

  const media = await openMedia(opened, { ...base, cluster, engine: options.engine });
  const { ownEngine, upstreams, streams } = media;
  webhooks.streams.follow(streams);
  const { recording: replacement, recordings } = options;
  const recorded = await openRecording(opened, { ...base, ...media, recording: replacement, recordings });

  const refusalGroups = webhooks.refusals;
  const access = await openAdmission(opened, { ...base, cluster, streams, countries, refusalLog, refusalGroups });
  const { admission } = access;
  const { tokenUses } = webhooks;
  const entrance = new Entrance();
  const admitted = openSessions({ ...base, ...media, ...access, cluster, recorder, tokenUses, entrance });
  const { sessions } = admitted;
  const health = (): HealthSources => ({
    database: monitor.problems,
    media: ownEngine.health?.(),
    findings: checks.findings,
    stoppingSince: entrance.shutSince,
  });
  const load = new ServerLoad(monotonicNow);
  const guests = openWaitingGuests({ ...base, ...media, ...access, ...admitted, load });
  const metrics = openMetrics(config, [
    mediaMetrics(ownEngine),
    admissionMetrics(access.decisions),
    sessionMetrics(sessions, monotonicNow),
    firstPictureMetrics(recorder),
    waitingGuestsMetrics(guests),
    databaseMetrics(monitor, rowFaults),
    webhooks.metrics,
    ...cluster.metrics,
    ...media.relays.metrics,
    ...recorded.metrics,
    ...(certificates ? [certificateMetrics(() => certificates.certificate.expiresOn)] : []),
    healthMetrics(() => healthOf(health())),
    faultMetrics(faults),
    versionMetrics,
  ]);
  const pruningJobs = createPruningJobs({
    audit,
    tokens,
    sessions: sessionStore,
    statistics,
    recordings: recorded.library,
    recordingFolders: recorded.sweep,
    config,
    now,
    log,
  });
  opened.add(() => Promise.all(pruningJobs.map((job) => job.close())));
  const accountServices = openAccounts(opened, { ...base, passwordHasher: options.passwordHasher });
  const clients = await openClients(opened, {
    ...base,
    ...media,
    ...access,
    ...admitted,
    entrance,
    guests,
    load,
    recorded,
  });
  // Before the websockets, over which clients learn that their session ends.
  opened.add(() => admitted.close());
  const management = openManagement({ ...base, ...media, ...access, ...admitted, cluster, recorder, recorded });

  // Opened last, because encoders connect at once.
  let rtmp: RtmpListener | null = null;
  const router = createRouter({
    ...clients,
    ...management,
    ...accountServices,
    relay: relayRoutes((request) => media.relays.answer(request)),
    admission,
    publicUrl: config.publicUrl,
    hlsCdnUrl: config.hlsCdnUrl,
    tokens,
    labels,
    refusals: refusalLog,
    sessions: recorder,
    statistics,
    countries,
    audit,
    upstreams: upstreams.service,
    webhooks: webhooks.service,
    recordings: recorded.library,
    now,
    rtmp: () => rtmp && { port: rtmp.port, tls: certificates !== undefined },
    knowsCountries: config.geoipDb !== undefined,
    publicDir: publicDir(),
    health,
    faults,
    metrics,
    log,
  });
  rtmp = await openRtmp({ config, admission, entrance, sessions, certificates, log });
  opened.add(() => rtmp?.close());
  const jobs = [...pruningJobs, ...webhooks.jobs];
  const checks = openHealth(opened, {
    ...base,
    certificates,
    listener: clients.listener,
    ownEngine,
    recorded,
    webhooks,
    jobs,
    rtmp,
    clock,
    storedOn: await audit.newestTime(),
  });
  opened.add(() => cluster.announceStop());

  for (const job of pruningJobs) job.start();
  webhooks.start();
  upstreams.start();
  const { director, following, signalling, listener } = clients;
  return {
    accounts: new SqlAccountStore(db, now),
    secrets: accountServices.secrets,
    dashboard: accountServices.dashboard,
    tokens,
    router,
    rtmpPort: rtmp?.port,
    attach: (server) => signalling.attach(server),
    listen() {
      const { host, port } = config;
      const app = createApp(router, { director, following, log });
      return listener.listen({ host, port, app, certificates, signalling });
    },
    async drain(signal) {
      const withinS = config.drainWithinS ?? (cluster.hasOthers() ? DRAIN_WITHIN_S : 0);
      if (withinS === 0) return;
      const announce = () => cluster.announceStop();
      await drain({ sessions, streams, entrance, announce, log, now }, { withinMs: withinS * 1_000, signal });
    },
    async close() {
      // Nobody would end a session that opens after the others have ended.
      entrance.shut(now());
      // Not awaited: no new client may connect while the open sessions receive their notice.
      void listener.close();
      await opened.close();
    },
  };
}
