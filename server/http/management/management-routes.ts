import { Router, type RequestHandler } from 'express';
import type { CountrySource } from '../../admission/country-source.js';
import type { TokenViewings } from '../../admission/token-viewings.js';
import type { Admission } from '../../admission/admission.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import type { ApiKeyService } from '../../accounts/api-key-service.js';
import type { ApiSecretService } from '../../accounts/api-secret-service.js';
import type { DashboardLogin } from '../../accounts/dashboard-login.js';
import type { MemberService } from '../../accounts/member-service.js';
import type { PasskeyService } from '../../accounts/passkeys/passkey-service.js';
import type { PasswordService } from '../../accounts/passwords/password-service.js';
import type { TokenLabels } from '../../tokens/token-labels.js';
import type { TokenService } from '../../tokens/token-service.js';
import { apiKeyRoutes } from './api-key-routes.js';
import { apiSecretRoutes } from './api-secret-routes.js';
import { explainRoutes, type ExplainSource } from './explain-routes.js';
import type { StillReader } from '../stills/still-reader.js';
import { liveRoutes, type LiveStreamReader, type RecordingReader } from './live-routes.js';
import { oversightRoutes, type OversightServices } from './oversight-routes.js';
import type { SessionReader } from '../../oversight/session-store.js';
import { sessionRoutes, sessionStopRoutes, type DeliveryReader, type SessionRemover } from './session-routes.js';
import type { Statistics } from '../../statistics/statistics.js';
import { statisticsRoutes } from './statistics-routes.js';
import { loginRoutes } from './login-routes.js';
import { memberRoutes } from './member-routes.js';
import { passkeyRoutes } from './passkey-routes.js';
import { passwordRoutes } from './password-routes.js';
import type { ThemeService } from '../../accounts/theme/theme-service.js';
import { limitRoutes, type LimitReader } from './limit-routes.js';
import { themeRoutes } from './theme-routes.js';
import type { ScheduleService } from '../../accounts/schedule/schedule-service.js';
import { scheduleRoutes } from './schedule-routes.js';
import type { UpstreamService } from '../../upstream/upstream-service.js';
import { upstreamRoutes } from './upstream-routes.js';
import type { WebhookService } from '../../webhooks/webhook-service.js';
import { webhookRoutes } from './webhook-routes.js';
import type { RecordingLibrary } from '../../recording/recording-library.js';
import { liveRecordingRoutes, recordingRoutes, type LiveRecordingServices } from './recording-routes.js';
import { streamStopRoutes } from './stream-stop-routes.js';
import { activeTokenRoutes, openSessionsRoutes, tokenRoutes, type OpenSessionCount } from './token-routes.js';

export interface ManagementServices extends OversightServices {
  /** Accepts a request for an account, or refuses it. See management-access.ts. */
  readonly access: RequestHandler;
  readonly tokens: TokenService;
  readonly labels: TokenLabels;
  readonly keys: ApiKeyService;
  readonly secrets: ApiSecretService;
  readonly sessions: SessionReader;
  readonly countries: CountrySource;
  readonly dashboard: DashboardLogin;
  readonly members: MemberService;
  readonly themes: ThemeService;
  readonly schedule: ScheduleService;
  readonly upstreams: UpstreamService;
  readonly webhooks: WebhookService;
  readonly recordings: RecordingLibrary;
  /** Milliseconds since 1970. Absent: the clock of the system. */
  readonly now?: () => number;
  /** Absent: the caller is no member, such as the command line. */
  readonly passkeys?: PasskeyService;
  /** As `passkeys`. */
  readonly passwords?: PasswordService;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl: string | undefined;
  readonly statistics: Statistics;
  /** The state of a running server. Without it there are no routes about live streams. */
  readonly live?: LiveState;
  /** Absent: `live`. */
  readonly explain?: ExplainSource;
}

export interface LiveState {
  readonly streams: StreamRegistry;
  readonly admission: Pick<Admission, 'requestFor'>;
  readonly findToken: ExplainSource['findToken'];
  readonly removeSession: SessionRemover;
  readonly liveStreams: LiveStreamReader;
  readonly viewings: Pick<TokenViewings, 'countOf'>;
  readonly limits: LimitReader;
  readonly stills: StillReader;
  readonly recording: RecordingReader;
  readonly deliveries: DeliveryReader;
  /** Undefined: the server does not record. */
  readonly recordingService: LiveRecordingServices['recording'];
}

/** The management API, for whichever account `access` accepts a request. */
export function managementRoutes(services: ManagementServices): Router {
  const {
    access,
    dashboard,
    members,
    themes,
    schedule,
    upstreams,
    webhooks,
    recordings,
    now = Date.now,
    passkeys,
    passwords,
    publicUrl,
    tokens,
    labels,
    keys,
    secrets,
    sessions,
    countries,
    statistics,
    live,
    explain = live,
  } = services;
  const router = Router();
  if (live) {
    const { streams, liveStreams, removeSession, viewings, limits, stills, recording, recordingService } = live;
    router.use(activeTokenRoutes((accountId, streamId) => streams.liveTokenIds(accountId, streamId), access));
    router.use(openSessionsRoutes(openSessionCount(streams, viewings), access));
    router.use(limitRoutes(limits, access));
    router.use(streamStopRoutes(streams, access));
    router.use(liveRoutes({ live: liveStreams, stills, recording, labels }, access));
    router.use(liveRecordingRoutes({ library: recordings, recording: recordingService, streams }, access));
    router.use(sessionStopRoutes({ sessions, remove: removeSession }, access));
  }
  router.use(tokenRoutes({ tokens, publicUrl }, access), oversightRoutes(services, access), apiKeyRoutes(keys, access));
  router.use(
    apiSecretRoutes(secrets, access),
    sessionRoutes({ sessions, countries, labels, deliveries: live?.deliveries }, access),
  );
  // Before the routes of members: /members/self is no id of a member.
  if (passkeys) router.use(passkeyRoutes({ passkeys, members, publicUrl }, access));
  if (passwords) router.use(passwordRoutes(passwords, access));
  router.use(loginRoutes(dashboard, access), memberRoutes({ members, publicUrl }, access));
  router.use(statisticsRoutes({ statistics, tokens, labels }, access));
  router.use(themeRoutes(themes, access));
  router.use(scheduleRoutes({ schedule, streams: live?.streams, now }, access));
  router.use(upstreamRoutes(upstreams, access));
  router.use(webhookRoutes(webhooks, access));
  router.use(recordingRoutes(recordings, access));
  if (explain) router.use(explainRoutes(explain, access));
  return router;
}

function openSessionCount(streams: StreamRegistry, viewings: LiveState['viewings']): OpenSessionCount {
  return ({ accountId, kind }, tokenIds) =>
    kind === 'publish'
      ? streams.countPublishers(accountId, tokenIds)
      : tokenIds.reduce((sum, tokenId) => sum + viewings.countOf(accountId, tokenId), 0);
}
