import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Router } from 'express';
import { pino, type Logger } from 'pino';
import type { AccountStore } from './accounts/account-store.js';
import { ApiKeyService } from './accounts/api-key-service.js';
import { ApiSecretService } from './accounts/api-secret-service.js';
import { LastUseRecorder } from './accounts/last-use-recorder.js';
import { DashboardLogin } from './accounts/dashboard-login.js';
import { NO_COUNTRIES } from './admission/country-source.js';
import { Admission } from './admission/admission.js';
import { displaceOldest } from './admission/displacement.js';
import { Enforcement } from './admission/enforcement.js';
import { GrantLedger } from './admission/grant-ledger.js';
import { GrantSigner } from './admission/grant-signer.js';
import { IceServers } from './admission/ice-servers.js';
import { ResumeTokens } from './admission/resume-tokens.js';
import { TokenViewings } from './admission/token-viewings.js';
import { createApp, createRouter } from './app.js';
import { findFfmpeg } from './find-ffmpeg.js';
import type { Config } from './config/config.js';
import { Director } from './http/director/director.js';
import { catchErrors } from './catch-errors.js';
import { createClientAddress } from './http/request/client-address.js';
import { rewindRoutes } from './http/rewind/rewind-routes.js';
import { HttpListener } from './http-listener.js';
import { RtmpListener, type RtmpListenerOptions } from './ingest/rtmp/rtmp-listener.js';
import { findTranscoders } from './ingest/rtmp/transcoders/find-transcoders.js';
import { ingestRoutes } from './ingest/ingest-routes.js';
import { IngestSessions } from './ingest/ingest-sessions.js';
import { createEmbeddedEngine } from './media/embedded/embedded-engine.js';
import type { MediaEngine } from './media/media-engine.js';
import { jpegOf } from './media/still/jpeg.js';
import { Stills, type StillsOptions } from './stills.js';
import { Statistics } from './statistics/statistics.js';
import { ViewingRecorder } from './statistics/viewing-recorder.js';
import { MemberService } from './accounts/member-service.js';
import { PasskeyChallenges } from './accounts/passkeys/passkey-challenges.js';
import { PasskeyService } from './accounts/passkeys/passkey-service.js';
import { PasswordService } from './accounts/passwords/password-service.js';
import { openStorage } from './open-storage.js';
import { openCountries } from './open-countries.js';
import { openRecording, type OpenedRecording, type RecordingProcesses } from './open-recording.js';
import { OpenedResources } from './opened-resources.js';
import { NoRecording, type RecordingControl } from './recording/recording-control.js';
import { RefusalLog } from './oversight/refusal-log.js';
import { createPruningJobs } from './pruning-jobs.js';
import { RefusalAdapter } from './refusal-adapter.js';
import { GrantRedemption } from './sessions/grant-redemption.js';
import { PendingSessions } from './sessions/pending-sessions.js';
import { publicDir } from './http/pages/built-files.js';
import type { Session } from './sessions/session.js';
import { SessionDeliveries } from './session-deliveries.js';
import { SessionRecorder } from './session-recorder.js';
import { Sessions } from './sessions/sessions.js';
import { SignallingServer } from './signalling/signalling-server.js';
import { SqlAccountStore } from './store/tables/sql-account-store.js';
import { SqlApiKeyStore } from './store/tables/sql-api-key-store.js';
import { SqlApiSecretStore } from './store/tables/sql-api-secret-store.js';
import { SqlAuditStore } from './store/tables/sql-audit-store.js';
import { SqlDashboardLoginStore } from './store/tables/sql-dashboard-login-store.js';
import { SqlRefusalStore } from './store/tables/sql-refusal-store.js';
import { SqlMemberStore } from './store/tables/sql-member-store.js';
import { SqlPasskeyStore } from './store/tables/sql-passkey-store.js';
import { SqlAttemptStore } from './store/tables/sql-attempt-store.js';
import { SqlPasswordStore } from './store/tables/sql-password-store.js';
import { ValueSeal } from './store/keys/value-seal.js';
import { SqlSessionStore } from './store/tables/sql-session-store.js';
import { SqlStatisticsStore } from './store/tables/sql-statistics-store.js';
import { SqlThemeStore } from './store/tables/sql-theme-store.js';
import { SqlScheduleStore } from './store/tables/sql-schedule-store.js';
import { ScheduleService } from './accounts/schedule/schedule-service.js';
import { ThemeService } from './accounts/theme/theme-service.js';
import { SqlViewingStore } from './store/tables/sql-viewing-store.js';
import { RewindPasses } from './admission/rewind-passes.js';
import { RewindAccess } from './recording/hls/rewind-access.js';
import { NOTHING_RECORDED, Rewind, type RewindOptions } from './recording/hls/rewind.js';
import { StreamRegistry } from './streams/stream-registry.js';
import { CredentialReader } from './tokens/credential-reader.js';
import { CertificateFollower } from './tls/certificate-follower.js';
import type { TokenService } from './tokens/token-service.js';

/** The time between two reports of a viewer. */
const REPORT_SECONDS = 10;

export interface StreamServerOptions {
  /** Absent: the embedded engine. Closed with the server. Left open if the server cannot be created. */
  readonly engine?: MediaEngine;
  /** In place of what the processes record. */
  readonly recording?: RecordingControl;
  /** What viewers can go back in. Absent: nothing is recorded. */
  readonly recordings?: RewindOptions;
  /** Starts what writes and reads recordings. Absent: nothing is recorded. They are closed with the server. */
  readonly startRecordingProcesses?: () => Promise<RecordingProcesses>;
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
  /** Ends every session with a notice, ends all media, and frees ports and files. */
  close(): Promise<void>;
}

/**
 * Creates a server: opens the data folder, loads the tokens and starts the media engine. The server listens when
 * `listen` is called.
 * @throws {ConfigError} a file of the TLS certificate cannot be used
 * @throws {DataDirError} the data folder cannot be used
 * @throws {DatabaseError} the database of `databaseUrl` cannot be used
 * @throws {EncryptionKeyError} the database was encrypted with another key
 * @throws {MediaError} `engine_unavailable`, for example when its UDP port is in use
 */
export async function createStreamServer(config: Config, options: StreamServerOptions = {}): Promise<StreamServer> {
  const { now = Date.now, log = pino({ level: config.logLevel, base: null }) } = options;
  const opened = new OpenedResources();
  try {
    const { engine, recording, recordings, startRecordingProcesses } = options;
    return await assemble(config, opened, { engine, recording, recordings, startRecordingProcesses, now, log });
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
  readonly startRecordingProcesses: StreamServerOptions['startRecordingProcesses'];
  readonly now: () => number;
  readonly log: Logger;
}

/** Adds each resource to `opened` directly after opening it, because any later step may fail. */
async function assemble(config: Config, opened: OpenedResources, options: AssembleOptions): Promise<StreamServer> {
  const { now, log } = options;
  const { publicUrl } = config;
  const certificates = config.tls && new CertificateFollower({ files: config.tls, now, log });
  opened.add(() => certificates?.close());
  const countries = openCountries(config, {
    onReload: () => log.info('the new file of countries is in use'),
    onError: (err) => log.error({ err }, 'the new file of countries cannot be read: the one before stays in use'),
  });
  opened.add(() => countries?.close());
  const { db, monitor, keys, directory, follower, tokens } = await openStorage(config, opened, { now, log });

  const refusalLog = new RefusalLog({
    store: new SqlRefusalStore(db),
    now,
    onDropped: (count, error) => log.warn({ count, err: error }, 'refusals were not recorded'),
  });
  opened.add(() => refusalLog.close());
  const refusals = new RefusalAdapter(refusalLog);

  const sessionStore = new SqlSessionStore(db);
  const viewingStore = new SqlViewingStore(db);
  const viewing = new ViewingRecorder({
    store: viewingStore,
    serverId: randomBytes(8).toString('hex'),
    now,
    onDropped: (count, error) => log.warn({ count, err: error }, 'reports of viewers were not recorded'),
  });
  opened.add(() => viewing.close());
  const recorder = new SessionRecorder({
    store: sessionStore,
    viewing,
    now,
    onDropped: (count, error) => log.warn({ count, err: error }, 'sessions were not recorded'),
  });
  opened.add(() => recorder.close());
  const statistics = new Statistics({
    store: new SqlStatisticsStore(db),
    viewing: viewingStore,
    flush: () => Promise.all([recorder.flush(), viewing.flush()]),
    now,
  });

  const engine = options.engine ?? (await startEngine(config, log));
  let isComplete = false;
  // If the server cannot be created, an engine of the caller stays open.
  opened.add(() => (isComplete || !options.engine ? engine.close() : undefined));
  const streams = new StreamRegistry(engine, {
    resumeWithinMs: config.resumeWithinS * 1000,
    now,
    onError: (err) => log.error({ err }, 'an event of the media engine could not be applied to its stream'),
  });

  const recorded = await openRecording(opened, {
    config,
    db,
    keys,
    engine,
    streams,
    tokenRecords: (tokenId) => directory.findById(tokenId)?.record ?? false,
    startProcesses: options.startRecordingProcesses,
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
  const viewings = new TokenViewings<Session>();
  const sources = { credentials, streams, viewings, countries: countries ?? NO_COUNTRIES };
  const admission = new Admission({ ...sources, bindings: tokens, now, refusals });

  const grants = new GrantSigner(keys.grantKey);
  const resumeTokens = new ResumeTokens(keys.grantKey);
  const ledger = new GrantLedger();
  const reportSeconds = config.viewerReports && config.sessionsKeptDays > 0 ? REPORT_SECONDS : undefined;
  const sessions = new Sessions({ engine, streams, admission, refusals, reportSeconds, log });
  viewings.follow(sessions);
  if (config.sessionsKeptDays > 0) {
    recorder.follow(sessions, engine, (err) => log.error({ err }, 'an event of a session could not be recorded'));
  }
  const enforcement = new Enforcement({
    sessions,
    tokens: directory,
    streams,
    admission,
    now,
    onFault: (err, { grant }) => log.error({ session: grant.sessionId, err }, 'a session could not be decided again'),
  });
  displaceOldest({
    sessions,
    tokens: directory,
    viewings,
    onFault: (err, { grant }) => log.error({ session: grant.sessionId, err }, 'a session could not be displaced'),
  });
  const pending = new PendingSessions({ sessions, ledger, resumeTokens, now, log });
  const redemption = new GrantRedemption({ grants, resumeTokens, pending, ledger });

  const audit = new SqlAuditStore(db);
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
  const accounts = new SqlAccountStore(db, now);
  const secrets = new ApiSecretService(new SqlApiSecretStore(db), now);
  const apiKeys = new ApiKeyService(new SqlApiKeyStore(db), now);
  const onFailed = (err: unknown): void => log.warn({ err }, 'the last use of a credential was not recorded');
  const keyUses = new LastUseRecorder({ write: (id, time, from) => apiKeys.recordUse(id, time, from), now, onFailed });
  const secretUses = new LastUseRecorder({
    write: (hash, time, from) => secrets.recordUse(hash, time, from),
    now,
    onFailed,
  });
  const dashboard = new DashboardLogin(new SqlDashboardLoginStore(db), now);
  const loginUses = new LastUseRecorder({
    write: (hash, time, from) => dashboard.recordUse(hash, time, from),
    now,
    onFailed,
  });
  opened.add(() => Promise.all([keyUses.flush(), secretUses.flush(), loginUses.flush()]));

  const clientAddress = createClientAddress(config.trustedProxies, {
    onUntrustedForward: (peer) =>
      log.warn({ peer }, 'a peer that TRUSTED_PROXIES does not name sent a forwarding header: it is ignored'),
  });
  const rewind = new Rewind(options.recordings ?? rewindOptions(recorded));
  const rewindAccess = new RewindAccess({
    rewind,
    admission,
    passes: new RewindPasses(keys.grantKey),
    streams,
    viewings,
    now,
  });
  const signalling = new SignallingServer({
    admission,
    rewindOf: (grant, sourceId) => rewindAccess.ofSession(grant, sourceId),
    sessions,
    redemption,
    resumeTokens,
    recording: { control: recording, permits: (tokenId) => directory.findById(tokenId)?.record ?? false },
    clientAddress,
    now,
    log,
  });
  const listener = new HttpListener();
  opened.add(() => listener.close());
  opened.add(() => signalling.close());
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
    now,
    serverId: randomBytes(16).toString('hex'),
    publicUrl,
  });
  const ingestSessions = new IngestSessions(sessions);
  // Opened last, because encoders connect at once.
  let rtmp: RtmpListener | null = null;
  const router = createRouter({
    director,
    ingest: ingestRoutes({ admission, sessions: ingestSessions, iceServers, clientAddress, publicUrl, now, log }),
    rewind: rewindRoutes({ rewind, access: rewindAccess, clientAddress }),
    admission,
    clientAddress,
    publicUrl,
    tokens,
    directory,
    streams,
    refusals: refusalLog,
    sessions: recorder,
    statistics,
    removeSession: (streamId, id) =>
      recorder.openSessions(streamId, id).filter((session) => sessions.remove(session)).length > 0,
    viewings,
    stills: new Stills({ engine, now: () => performance.now(), jpegOf: jpegConverter(config) }),
    recording,
    deliveries: new SessionDeliveries({ engine, sessions, recorder }),
    countries: countries ?? NO_COUNTRIES,
    audit,
    secrets,
    keys: apiKeys,
    keyUses,
    secretUses,
    dashboard,
    loginUses,
    members: new MemberService(new SqlMemberStore(db), now),
    passkeys: new PasskeyService(new SqlPasskeyStore(db), new PasskeyChallenges(keys.challengeKey, now), now),
    passwords: new PasswordService({
      store: new SqlPasswordStore(db),
      attempts: new SqlAttemptStore(db),
      seal: new ValueSeal(keys.sealKey),
      now,
    }),
    themes: new ThemeService(new SqlThemeStore(db), now, (err) =>
      log.warn({ err }, 'a hosted page is shown without its theme'),
    ),
    schedule: new ScheduleService(new SqlScheduleStore(db), now),
    recordings: recorded.library,
    recordingService: recorded.service,
    now,
    rtmp: () => rtmp && { port: rtmp.port, tls: certificates !== undefined },
    publicDir: publicDir(),
    database: monitor,
    log,
  });

  rtmp = await openRtmp({ config, admission, sessions, certificates, log });
  opened.add(() => rtmp?.close());

  for (const job of pruningJobs) job.start();
  isComplete = true;
  return {
    accounts,
    secrets,
    dashboard,
    tokens,
    router,
    rtmpPort: rtmp?.port,
    attach: (server) => signalling.attach(server),
    listen() {
      const { host, port } = config;
      return listener.listen({ host, port, app: createApp(router, director, log), certificates, signalling });
    },
    async close() {
      // Not awaited: no new client may connect while the open sessions receive their notice.
      void listener.close();
      await opened.close();
    },
  };
}

interface RtmpOptions extends Pick<RtmpListenerOptions, 'admission' | 'sessions' | 'log'> {
  readonly config: Config;
  readonly certificates: CertificateFollower | undefined;
}

async function openRtmp({ config, certificates, ...services }: RtmpOptions): Promise<RtmpListener | null> {
  const { rtmpPort: port, host } = config;
  if (port === undefined) return null;
  const { log } = services;
  const transcoders = await findTranscoders(config, { log });
  const listener = await RtmpListener.open({ host, port, certificates, transcoders, ...services });
  log.info({ port: listener.port, tls: certificates !== undefined }, 'encoders can connect over RTMP');
  return listener;
}

function rewindOptions({ service, packager }: OpenedRecording): RewindOptions {
  return service && packager ? { source: service.reader, packager } : NOTHING_RECORDED;
}

/** Undefined: there is no ffmpeg. */
function jpegConverter({ ffmpegPath }: Config): StillsOptions['jpegOf'] {
  const ffmpeg = findFfmpeg(ffmpegPath);
  return ffmpeg === undefined ? undefined : (still) => jpegOf(ffmpeg, still);
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
