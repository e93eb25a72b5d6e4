import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Router } from 'express';
import { pino, type Logger } from 'pino';
import type { AccountStore } from '../accounts/account-store.js';
import type { ApiSecretService } from '../accounts/api-secret-service.js';
import type { DashboardLogin } from '../accounts/dashboard-login.js';
import { NO_COUNTRIES } from '../admission/country-source.js';
import { AccountSessions } from '../admission/account-sessions.js';
import { CallLimiter } from '../accounts/limits/call-limiter.js';
import { openLimits } from './open-limits.js';
import { Admission } from '../admission/admission.js';
import { displaceOldest } from '../admission/displacement.js';
import { Enforcement } from '../admission/enforcement.js';
import { GrantLedger } from '../admission/grant-ledger.js';
import { GrantSigner } from '../admission/grant-signer.js';
import { IceServers } from '../admission/ice-servers.js';
import { ResumeTokens } from '../admission/resume-tokens.js';
import { TokenViewings } from '../admission/token-viewings.js';
import { createApp, createRouter } from './app.js';
import { findFfmpeg } from '../find-ffmpeg.js';
import type { Config } from '../config/config.js';
import { Director } from '../http/director/director.js';
import { catchErrors } from '../catch-errors.js';
import { healthOf, type HealthSources } from '../http/health.js';
import { relayRoutes } from '../http/relay-routes.js';
import { createClientAddress, isFromProxy } from '../http/request/client-address.js';
import { requestIdentifier } from '../http/request/request-id.js';
import { HttpListener } from '../http-listener.js';
import type { RtmpListener } from '../ingest/rtmp/rtmp-listener.js';
import { ingestRoutes } from '../ingest/ingest-routes.js';
import { IngestSessions } from '../ingest/ingest-sessions.js';
import type { MediaEngine } from '../media/media-engine.js';
import { jpegOf } from '../media/still/jpeg.js';
import { admissionMetrics, Decisions } from '../metrics/admission-metrics.js';
import { databaseMetrics } from '../metrics/database-metrics.js';
import { healthMetrics } from '../metrics/health-metrics.js';
import { mediaMetrics } from '../metrics/media-metrics.js';
import { firstPictureMetrics, sessionMetrics } from '../metrics/session-metrics.js';
import { monotonicNow } from '../monotonic-now.js';
import { Stills, type StillsOptions } from './stills.js';
import { DatabaseClock } from '../cluster/database-clock.js';
import { openCluster } from './open-cluster.js';
import { openAccounts } from './open-accounts.js';
import { openMetrics } from './open-metrics.js';
import { openOversight } from './open-oversight.js';
import { openUpstreams } from './open-upstreams.js';
import { openRtmp } from './open-rtmp.js';
import { openStorage } from './open-storage.js';
import { openCountries } from './open-countries.js';
import { openTracing } from './open-tracing.js';
import { openWebhooks } from './open-webhooks.js';
import { openRecording } from './open-recording.js';
import { openRewind, rewindOptionsOf } from './open-rewind.js';
import { OpenedResources } from './opened-resources.js';
import { NoRecording, type RecordingControl } from '../recording/recording-control.js';
import { startEngine } from './start-engine.js';
import { createPruningJobs } from './pruning-jobs.js';
import { RefusalAdapter } from './refusal-adapter.js';
import { drain } from '../sessions/drain.js';
import { Entrance } from '../sessions/entrance.js';
import { GrantRedemption } from '../sessions/grant-redemption.js';
import { PendingSessions } from '../sessions/pending-sessions.js';
import { ServerLoad } from '../sessions/server-load.js';
import { publicDir } from '../http/pages/built-files.js';
import type { Session } from '../sessions/session.js';
import { SessionDeliveries } from './session-deliveries.js';
import { Sessions } from '../sessions/sessions.js';
import { ViewerMigration } from '../sessions/viewer-migration.js';
import { SignallingServer } from '../signalling/signalling-server.js';
import { SqlAccountStore } from '../store/tables/sql-account-store.js';
import type { RewindOptions } from '../recording/hls/rewind.js';
import type { LiveStatus } from '../streams/live-status.js';
import { StreamPlaces } from '../streams/stream-places.js';
import { StreamRegistry } from '../streams/stream-registry.js';
import { CredentialReader } from '../tokens/credential-reader.js';
import { CertificateFollower } from '../tls/certificate-follower.js';
import type { TokenKind } from '../tokens/token-record.js';
import type { TokenService } from '../tokens/token-service.js';

/** How long a server waits for its clients to move to others if nothing else is configured, in seconds. */
const DRAIN_WITHIN_S = 20;
/** The time between two reports of a viewer. */
const REPORT_SECONDS = 10;

export interface StreamServerOptions {
  /** Absent: the embedded engine. Closed with the server. Left open if the server cannot be created. */
  readonly engine?: MediaEngine;
  /** What publishers switch on and off. Absent: the recordings of `recordingsDir`. */
  readonly recording?: RecordingControl;
  /** What viewers can go back in. Absent: the recordings of `recordingsDir`. */
  readonly recordings?: RewindOptions;
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
 * @throws {DatabaseError} the database of `databaseUrl` cannot be used
 * @throws {EncryptionKeyError} the database was encrypted with another key
 * @throws {MediaError} `engine_unavailable`, for example when its UDP port is in use
 */
export async function createStreamServer(config: Config, options: StreamServerOptions = {}): Promise<StreamServer> {
  const { now = Date.now, log = pino({ level: config.logLevel, base: null }) } = options;
  const opened = new OpenedResources();
  try {
    const { engine, recording, recordings } = options;
    return await assemble(config, opened, { engine, recording, recordings, now, log });
  } catch (error) {
    // The caller needs the first error, not one of closing.
    await opened.close().catch((err: unknown) => log.warn({ err }, 'a failed start left resources open'));
    throw error;
  }
}

interface AssembleOptions {
  readonly engine: MediaEngine | undefined;
  readonly recording: RecordingControl | undefined;
  readonly recordings: RewindOptions | undefined;
  readonly now: () => number;
  readonly log: Logger;
}

/** Adds each resource to `opened` directly after opening it, because any later step may fail. */
async function assemble(config: Config, opened: OpenedResources, options: AssembleOptions): Promise<StreamServer> {
  const { log } = options;
  // With PostgreSQL, all servers go by the clock of the database.
  const clock = new DatabaseClock(options.now);
  const { now } = clock;
  const { publicUrl, nodeUrl } = config;
  const certificates = config.tls && new CertificateFollower({ files: config.tls, now, log });
  opened.add(() => certificates?.close());
  const countries = openCountries(config, {
    onReload: () => log.info('the new file of countries is in use'),
    onError: (err) => log.error({ err }, 'the new file of countries cannot be read: the one before stays in use'),
  });
  opened.add(() => countries?.close());
  const { db, monitor, keys, directory, follower, tokens } = await openStorage(config, opened, { now, log });
  const cluster = await openCluster(opened, { config, db, monitor, keys, clock, log });

  const {
    audit,
    refusals: refusalLog,
    sessions: sessionStore,
    recorder,
    statistics,
  } = openOversight(opened, { db, now, log });
  const webhooks = openWebhooks(opened, { config, db, keys, now, log });
  const decisions = new Decisions();
  const refusals = new RefusalAdapter({
    record(refusal) {
      decisions.emit('decided', refusal.kind, refusal.reason);
      refusalLog.record(refusal);
      webhooks.refusals.add(refusal);
    },
  });

  const ownEngine = options.engine ?? (await startEngine(config, log));
  let isComplete = false;
  // If the server cannot be created, an engine of the caller stays open.
  opened.add(() => (isComplete || !options.engine ? ownEngine.close() : undefined));
  const { nodeId, othersAlive } = cluster;
  const upstreams = await openUpstreams(opened, { config, db, keys, engine: ownEngine, nodeId, othersAlive, now, log });
  const { engine } = upstreams;
  const capabilitiesOf = (streamId: string) => engine.capabilitiesOf(streamId);
  const hasFrames = (streamId: string): boolean => capabilitiesOf(streamId).frames;
  const streams = new StreamRegistry(engine, {
    resumeWithinMs: config.resumeWithinS * 1000,
    leases: cluster.leases,
    elsewhere: cluster.streams,
    viewersElsewhere: (streamId) => cluster.viewersElsewhere(streamId),
    now,
    onError: (err) => log.error({ err }, 'an event of the media engine could not be applied to its stream'),
  });

  const relays = cluster.openRelays({ engine, streams });
  const places = new StreamPlaces({ streams, nodeUrl, isShared: cluster.isShared, relayed: relays.relayed });

  webhooks.streams.follow(streams);

  const recorded = await openRecording(opened, {
    config,
    db,
    keys,
    engine,
    streams,
    tokenRecords: (tokenId) => directory.findById(tokenId)?.record ?? false,
    tokenRetentionDays: (tokenId) => directory.findById(tokenId)?.recordingRetentionDays ?? null,
    hasFrames,
    isReplaced: options.recording !== undefined,
    now,
    log,
  });
  const recording = options.recording ?? recorded.service ?? new NoRecording();
  recording.on(
    'changed',
    catchErrors(
      (err) => log.error({ err }, 'a publisher could not be told of its recording'),
      ({ stream, sourceId, ...change }) => streams.sendRecording(stream, sourceId, change),
    ),
  );

  const credentials = new CredentialReader({ directory, follower, now });
  const viewings = new TokenViewings<Session>({ elsewhere: cluster.viewings, now: cluster.viewingNow });
  const limits = await openLimits(opened, { db, now, log });
  const accounts = new AccountSessions({
    maxOf: (accountId) => limits.of(accountId).maxSessions,
    elsewhere: (accountId) => cluster.accountSessionsElsewhere(accountId),
  });
  const sources = { credentials, streams, viewings, countries: countries ?? NO_COUNTRIES, accounts };
  const onAdmitted = (kind: TokenKind) => void decisions.emit('decided', kind, 'allowed');
  const admission = new Admission({ ...sources, bindings: tokens, now, refusals, onAdmitted });

  const grants = new GrantSigner(keys.grantKey);
  const resumeTokens = new ResumeTokens(keys.grantKey);
  const ledger = new GrantLedger();
  const reportSeconds = config.viewerReports && config.sessionsKeptDays > 0 ? REPORT_SECONDS : undefined;
  const sessions = new Sessions({ engine, capabilitiesOf, streams, admission, refusals, reportSeconds, log });
  upstreams.directory.on('changed', (moved) => sessions.loseMediaOf(moved));
  const entrance = new Entrance();
  const load = new ServerLoad(monotonicNow);
  opened.add(() => load.close());
  const health = (): HealthSources => ({
    database: monitor.problems,
    media: ownEngine.health?.(),
    stoppingSince: entrance.shutSince,
  });
  const metrics = openMetrics(config, [
    mediaMetrics(ownEngine),
    admissionMetrics(decisions),
    sessionMetrics(sessions, monotonicNow),
    firstPictureMetrics(recorder),
    databaseMetrics(monitor),
    webhooks.metrics,
    ...cluster.metrics,
    healthMetrics(() => healthOf(health()).problems),
  ]);
  viewings.follow(sessions);
  accounts.follow(sessions);
  webhooks.tokenUses.follow(sessions);
  if (config.sessionsKeptDays > 0) {
    recorder.follow(sessions, engine, (err) => log.error({ err }, 'an event of a session could not be recorded'));
  }
  const enforcement = new Enforcement({
    sessions,
    tokens: directory,
    streams,
    onViewingElsewhere: (listener) => cluster.onViewing(listener),
    admission,
    now,
    onFault: (err, { grant }) => log.error({ session: grant.sessionId, err }, 'a session could not be decided again'),
  });
  displaceOldest({
    sessions,
    tokens: directory,
    viewings,
    onViewingElsewhere: (listener) => cluster.onViewing(listener),
    onFault: (err, { grant }) => log.error({ session: grant.sessionId, err }, 'a session could not be displaced'),
  });
  const pending = new PendingSessions({ sessions, ledger, resumeTokens, now, log });
  const redemption = new GrantRedemption({ grants, resumeTokens, pending, ledger, node: places.grantNode });

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
  const accountServices = openAccounts(opened, { db, keys, now, log });

  const clientAddress = createClientAddress(config.trustedProxies, {
    onUntrustedForward: (peer) =>
      log.warn({ peer }, 'a peer that TRUSTED_PROXIES does not name sent a forwarding header: it is ignored'),
  });
  const identify = requestIdentifier(isFromProxy(config.trustedProxies));
  const tracing = await openTracing(opened, config, { monitor, requestIdOf: identify });
  const trace = tracing && tracing.request.bind(tracing);
  const following = { identify, trace };
  const rewind = openRewind({
    config,
    keys,
    recorded: options.recordings ?? rewindOptionsOf(recorded),
    admission,
    streams,
    viewings,
    places,
    clientAddress,
    now,
  });
  const signalling = new SignallingServer({
    admission,
    entrance,
    rewindOf: (grant, sourceId) => rewind.access.ofSession(grant, sourceId),
    sessions,
    redemption,
    resumeTokens,
    recording: { control: recording, permits: (tokenId) => directory.findById(tokenId)?.record ?? false },
    clientAddress,
    identify,
    now,
    log,
  });
  const listener = new HttpListener();
  opened.add(() => listener.close());
  opened.add(() => signalling.close());
  const migration = new ViewerMigration({ sessions, streams, places, log });
  relays.onChanged((streamId) => migration.check(streamId));
  opened.add(() => migration.close());
  opened.add(() => sessions.close());
  opened.add(() => enforcement.close());

  const iceServers = new IceServers(config);
  const director = new Director({
    admission,
    grants,
    iceServers,
    clientAddress,
    viewerSessions: pending,
    recording,
    hasFrames,
    now,
    serverId: randomBytes(16).toString('hex'),
    places,
    entrance,
    load,
  });
  const ingestSessions = new IngestSessions(sessions);
  const removeSessionHere = (streamId: string, id: string): boolean =>
    recorder.openSessions(streamId, id).filter((session) => sessions.remove(session)).length > 0;
  const liveHere = (accountId?: string): LiveStatus[] => streams.liveStreamsHere(accountId);
  cluster.connect({
    engine,
    streams,
    sessions,
    viewings,
    accountSessions: accounts,
    limitedAccounts: () => limits.accountIds,
    removeSession: removeSessionHere,
    liveHere: () => liveHere().map((status) => withRecording(status, recording)),
  });
  // Opened last, because encoders connect at once.
  let rtmp: RtmpListener | null = null;
  const router = createRouter({
    director,
    ingest: ingestRoutes({
      admission,
      sessions: ingestSessions,
      iceServers,
      clientAddress,
      places,
      entrance,
      load,
      now,
      log,
    }),
    relay: relayRoutes((request) => relays.answer(request)),
    rewind: rewind.routes,
    segments: rewind.segments,
    admission,
    clientAddress,
    following,
    publicUrl,
    hlsCdnUrl: config.hlsCdnUrl,
    tokens,
    directory,
    streams,
    refusals: refusalLog,
    sessions: recorder,
    statistics,
    removeSession(streamId, id) {
      if (removeSessionHere(streamId, id)) return 'ended';
      return cluster.removeSessionElsewhere(streamId, id) ? 'elsewhere' : 'not_open';
    },
    live: { of: async (accountId) => [...liveHere(accountId), ...(await cluster.liveElsewhere(accountId))] },
    attempts: cluster.attempts,
    calls: new CallLimiter((accountId) => limits.of(accountId).maxCalls, now),
    limits: { limitsOf: (accountId) => limits.of(accountId), sessionsOf: (accountId) => accounts.total(accountId) },
    viewings,
    stills: new Stills({ engine, now: () => performance.now(), jpegOf: jpegConverter(config) }),
    recording,
    deliveries: new SessionDeliveries({ engine, sessions, recorder }),
    countries: countries ?? NO_COUNTRIES,
    audit,
    ...accountServices,
    upstreams: upstreams.service,
    webhooks: webhooks.service,
    recordings: recorded.library,
    recordingService: recorded.service,
    now,
    rtmp: () => rtmp && { port: rtmp.port, tls: certificates !== undefined },
    publicDir: publicDir(),
    health,
    metrics,
    log,
  });

  rtmp = await openRtmp({ config, admission, entrance, sessions, certificates, log });
  opened.add(() => rtmp?.close());

  opened.add(() => cluster.announceStop());

  for (const job of pruningJobs) job.start();
  webhooks.start();
  upstreams.start();
  isComplete = true;
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
      return listener.listen({
        host,
        port,
        app: createApp(router, { director, following, log }),
        certificates,
        signalling,
      });
    },
    async drain(signal) {
      const withinS = config.drainWithinS ?? (cluster.hasOthers() ? DRAIN_WITHIN_S : 0);
      if (withinS === 0) return;
      const announce = () => cluster.announceStop();
      await drain({ sessions, streams, entrance, announce, log, now }, { withinMs: withinS * 1_000, signal });
    },
    async close() {
      // Not awaited: no new client may connect while the open sessions receive their notice.
      void listener.close();
      await opened.close();
    },
  };
}

/** As other servers show it, which do not know what is recorded here. */
function withRecording(status: LiveStatus, recording: Pick<RecordingControl, 'isRecording'>): LiveStatus {
  const sources = status.sources.map((source) => ({
    ...source,
    recording: recording.isRecording(status.streamId, source.sourceId),
  }));
  return { ...status, sources };
}

/** Undefined: there is no ffmpeg. */
function jpegConverter({ ffmpegPath }: Config): StillsOptions['jpegOf'] {
  const ffmpeg = findFfmpeg(ffmpegPath);
  return ffmpeg === undefined ? undefined : (still) => jpegOf(ffmpeg, still);
}
