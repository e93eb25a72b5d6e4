import type { RequestListener } from 'node:http';
import express, { Router } from 'express';
import type { Logger } from 'pino';
import type { CountrySource } from '../admission/country-source.js';
import type { RtmpAddress } from '../../src/wire/management/dashboard-session.js';
import type { TokenViewings } from '../admission/token-viewings.js';
import type { Admission } from '../admission/admission.js';
import type { ApiSecretService } from '../accounts/api-secret-service.js';
import type { ApiKeyService } from '../accounts/api-key-service.js';
import type { DashboardLogin } from '../accounts/dashboard-login.js';
import type { FailedAttemptLimiter } from '../accounts/failed-attempt-limiter.js';
import type { LastUseRecorder } from '../accounts/last-use-recorder.js';
import { errorHandler } from '../http/middleware/error-handler.js';
import { managementAccess } from '../http/management/management-access.js';
import { notFound } from '../http/middleware/not-found.js';
import { dashboardLoginRoutes } from '../http/management/dashboard-login-routes.js';
import type { ClientAddress } from '../http/request/client-address.js';
import { followRequests, type RequestFollowing } from '../http/request/request-id.js';
import type { Director } from '../http/director/director.js';
import { directorListener } from '../http/director/director-listener.js';
import { directorRoutes } from '../http/director/director-routes.js';
import type { HealthSources } from '../http/health.js';
import { healthRoutes } from '../http/health-routes.js';
import { metricsRoutes, type ReadableMetrics } from '../http/metrics-routes.js';
import { announcementRoutes } from '../http/management/schedule-routes.js';
import type { CallLimiter } from '../accounts/limits/call-limiter.js';
import type { LimitReader } from '../http/management/limit-routes.js';
import { managementRoutes } from '../http/management/management-routes.js';
import type { LiveStreamReader, RecordingReader } from '../http/management/live-routes.js';
import type { StillReader } from '../http/stills/still-reader.js';
import { stillRoutes } from '../http/stills/still-routes.js';
import type { DeliveryReader, SessionRemover } from '../http/management/session-routes.js';
import { openApiRoutes } from '../http/openapi/openapi-document.js';
import { oembedRoutes } from '../http/pages/oembed-routes.js';
import { recordingMediaRoutes } from '../http/recordings/media-routes.js';
import { pageRoutes } from '../http/pages/page-routes.js';
import type { AuditStore } from '../oversight/audit-store.js';
import type { RefusalLog } from '../oversight/refusal-log.js';
import type { SessionReader } from '../oversight/session-store.js';
import type { Statistics } from '../statistics/statistics.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import type { TokenDirectory } from '../tokens/token-directory.js';
import type { MemberService } from '../accounts/member-service.js';
import type { PasskeyService } from '../accounts/passkeys/passkey-service.js';
import type { PasswordService } from '../accounts/passwords/password-service.js';
import type { ThemeService } from '../accounts/theme/theme-service.js';
import type { ScheduleService } from '../accounts/schedule/schedule-service.js';
import type { UpstreamService } from '../upstream/upstream-service.js';
import type { WebhookService } from '../webhooks/webhook-service.js';
import type { RecordingLibrary } from '../recording/recording-library.js';
import type { RecordingService } from '../recording/recording-service.js';
import type { TokenService } from '../tokens/token-service.js';

export interface RouterDependencies {
  readonly director: Director;
  /** WHIP and WHEP. */
  readonly ingest: Router;
  /** The calls of other servers. */
  readonly relay: Router;
  /** Going back in recorded streams. */
  readonly rewind: Router;
  /** Files of recordings for CDNs. */
  readonly segments: Router;
  readonly admission: Admission;
  readonly clientAddress: ClientAddress;
  readonly following: RequestFollowing;
  /** The origin at which clients reach the server. Undefined: the origin of their request. */
  readonly publicUrl: string | undefined;
  /** Where pages load segments of recordings. Undefined: from this server. */
  readonly hlsCdnUrl: string | undefined;
  readonly tokens: TokenService;
  /** The tokens in memory. */
  readonly directory: Pick<TokenDirectory, 'findById'>;
  readonly streams: StreamRegistry;
  readonly refusals: RefusalLog;
  /** The recorded sessions. */
  readonly sessions: SessionReader;
  readonly removeSession: SessionRemover;
  readonly live: LiveStreamReader;
  readonly attempts: FailedAttemptLimiter;
  readonly calls: CallLimiter;
  readonly limits: LimitReader;
  readonly viewings: Pick<TokenViewings, 'countOf'>;
  readonly stills: StillReader;
  readonly recording: RecordingReader;
  readonly deliveries: DeliveryReader;
  readonly countries: CountrySource;
  readonly statistics: Statistics;
  readonly audit: AuditStore;
  readonly secrets: ApiSecretService;
  readonly keys: ApiKeyService;
  readonly keyUses: LastUseRecorder;
  readonly secretUses: LastUseRecorder;
  readonly dashboard: DashboardLogin;
  readonly loginUses: LastUseRecorder;
  readonly members: MemberService;
  readonly passkeys: PasskeyService;
  readonly passwords: PasswordService;
  readonly themes: ThemeService;
  readonly schedule: ScheduleService;
  readonly upstreams: UpstreamService;
  readonly webhooks: WebhookService;
  readonly recordings: RecordingLibrary;
  /** Undefined: this server does not record. */
  readonly recordingService: RecordingService | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where encoders connect over RTMP. Null: nowhere. */
  readonly rtmp: () => RtmpAddress | null;
  readonly publicDir: string;
  readonly health: () => HealthSources;
  /** Undefined: nobody may read them. */
  readonly metrics: ReadableMetrics | undefined;
  readonly log: Logger;
}

/**
 * All routes, the busiest first, to mount at the root of an Express app. Other requests pass on to that app. Opens no
 * port and reads no environment.
 */
export function createRouter({
  director,
  ingest,
  relay,
  rewind,
  segments,
  admission,
  clientAddress,
  following,
  publicUrl,
  hlsCdnUrl,
  tokens,
  directory,
  streams,
  refusals,
  sessions,
  removeSession,
  live: liveStreams,
  attempts,
  calls,
  limits,
  viewings,
  stills,
  recording,
  deliveries,
  countries,
  statistics,
  audit,
  secrets,
  keys,
  keyUses,
  secretUses,
  dashboard,
  loginUses,
  members,
  passkeys,
  passwords,
  themes,
  schedule,
  upstreams,
  webhooks,
  recordings,
  recordingService,
  now,
  rtmp,
  publicDir,
  health,
  metrics,
  log,
}: RouterDependencies): Router {
  const router = Router();
  router.use(followRequests(following));
  router.use(directorRoutes(director));
  router.use(ingest);
  router.use(relay);
  router.use(rewind);
  router.use(segments);
  router.use(stillRoutes({ stills, admission, streams, clientAddress }));
  router.use(healthRoutes(health));
  router.use(metricsRoutes(metrics));
  router.use(openApiRoutes(publicUrl));
  router.use(oembedRoutes(publicUrl, themes));
  router.use(pageRoutes({ publicDir, publicUrl, hlsCdnUrl, themes, schedule }));
  router.use(recordingMediaRoutes(recordings));
  router.use(announcementRoutes({ schedule, streams, now }));

  const access = managementAccess({
    secrets,
    keys,
    keyUses,
    secretUses,
    dashboard,
    loginUses,
    attempts,
    calls,
    clientAddress,
    publicUrl,
  });
  const findToken = (id: number) => directory.findById(id);
  const live = {
    streams,
    admission,
    findToken,
    removeSession,
    liveStreams,
    viewings,
    limits,
    stills,
    deliveries,
    recording,
    recordingService,
  };
  router.use(
    managementRoutes({
      access,
      dashboard,
      members,
      passkeys,
      passwords,
      themes,
      schedule,
      upstreams,
      webhooks,
      recordings,
      now,
      publicUrl,
      tokens,
      keys,
      secrets,
      refusals,
      sessions,
      countries,
      statistics,
      audit,
      live,
    }),
  );
  router.use(dashboardLoginRoutes({ dashboard, passkeys, passwords, attempts, clientAddress, publicUrl, rtmp }));
  router.use(errorHandler(log));
  return router;
}

/** An Express app with only these routes. The calls of viewers to the director skip Express; see `directorListener`. */
export function createApp(
  router: Router,
  { director, following, log }: Pick<RouterDependencies, 'director' | 'following' | 'log'>,
): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(router);
  app.get('/', (_req, res) => res.redirect('/dashboard'));
  app.use(notFound());
  app.use(errorHandler(log));
  return directorListener(director, app, following);
}
