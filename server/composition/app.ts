import type { RequestListener } from 'node:http';
import express, { Router } from 'express';
import type { Logger } from 'pino';
import type { RtmpAddress } from '../../src/wire/management/dashboard-session.js';
import type { FailedAttemptLimiter } from '../accounts/failed-attempt-limiter.js';
import type { CallLimiter } from '../accounts/limits/call-limiter.js';
import type { Admission } from '../admission/admission.js';
import type { ContainedFaults } from '../faults/contained-faults.js';
import { directorListener } from '../http/director/director-listener.js';
import { directorRoutes } from '../http/director/director-routes.js';
import type { Director } from '../http/director/director.js';
import { healthRoutes } from '../http/health-routes.js';
import type { HealthSources } from '../http/health.js';
import { dashboardLoginRoutes } from '../http/management/dashboard-login-routes.js';
import { managementAccess } from '../http/management/management-access.js';
import { managementRoutes, type LiveState, type ManagementServices } from '../http/management/management-routes.js';
import { announcementRoutes } from '../http/management/schedule-routes.js';
import { metricsRoutes, type ReadableMetrics } from '../http/metrics-routes.js';
import { errorHandler } from '../http/middleware/error-handler.js';
import { notFound } from '../http/middleware/not-found.js';
import { shortAccept } from '../http/middleware/short-accept.js';
import { openApiRoutes } from '../http/openapi/openapi-document.js';
import { oembedRoutes } from '../http/pages/oembed-routes.js';
import { pageRoutes } from '../http/pages/page-routes.js';
import { recordingMediaRoutes } from '../http/recordings/media-routes.js';
import type { ClientAddress } from '../http/request/client-address.js';
import { followRequests, type RequestFollowing } from '../http/request/request-id.js';
import type { RequestTurn } from '../http/request/request-turn.js';
import { stillRoutes } from '../http/stills/still-routes.js';
import type { AccountServices } from './open-accounts.js';

export interface RouterDependencies
  extends AccountServices, Omit<ManagementServices, 'access' | 'live' | 'explain' | keyof AccountServices> {
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
  readonly turn: RequestTurn;
  /** Where pages load segments of recordings. Undefined: from this server. */
  readonly hlsCdnUrl: string | undefined;
  readonly live: LiveState;
  readonly attempts: FailedAttemptLimiter;
  readonly calls: CallLimiter;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where encoders connect over RTMP. Null: nowhere. */
  readonly rtmp: () => RtmpAddress | null;
  /** Whether tokens can have lists of countries. */
  readonly knowsCountries: boolean;
  readonly publicDir: string;
  readonly health: () => HealthSources;
  /** The faults that were contained. */
  readonly faults: Pick<ContainedFaults, 'counts'>;
  /** Undefined: nobody may read them. */
  readonly metrics: ReadableMetrics | undefined;
  readonly log: Logger;
}

/**
 * All routes, the busiest first, to mount at the root of an Express app. Other requests pass on to that app. Opens no
 * port and reads no environment.
 */
export function createRouter(dependencies: RouterDependencies): Router {
  const { publicUrl, clientAddress, turn, admission, live, themes, schedule, recordings } = dependencies;
  const { stills, streams } = live;
  const router = Router();
  router.use(followRequests(dependencies.following));
  router.use(shortAccept());
  router.use(directorRoutes(dependencies.director));
  router.use(dependencies.ingest);
  router.use(dependencies.relay);
  router.use(dependencies.rewind);
  router.use(dependencies.segments);
  router.use(stillRoutes({ stills, admission, streams, clientAddress, turn }));
  router.use(healthRoutes(dependencies.health, () => dependencies.faults.counts));
  router.use(metricsRoutes(dependencies.metrics));
  router.use(openApiRoutes(publicUrl));
  router.use(oembedRoutes({ publicUrl, themes, admission, streams, stills, turn }));
  router.use(pageRoutes(dependencies));
  router.use(recordingMediaRoutes(recordings));
  router.use(announcementRoutes({ schedule, streams, admission, now: dependencies.now }));
  router.use(managementRoutes({ ...dependencies, access: managementAccess(dependencies) }));
  router.use(dashboardLoginRoutes(dependencies));
  router.use(errorHandler(dependencies.log));
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
