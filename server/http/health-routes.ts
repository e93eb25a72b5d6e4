import type { Response, Router } from 'express';
import { ApiError } from '../errors.js';
import { endpointRouter } from './endpoints/endpoint-router.js';
import { healthEndpoints } from './endpoints/health-endpoint.js';
import { success } from './endpoints/endpoint.js';
import { healthOf, type HealthProblem, type HealthSources } from './health.js';

/** When to ask again, in seconds. */
const RETRY_SECONDS = 5;

/**
 * `GET /healthz`: 200 while the server can admit viewers. `GET /readyz`: 200 while nothing is wrong. Otherwise 503, and
 * all problems are in `problems`. Anybody may call them, so that the responses have no secrets.
 */
export function healthRoutes(sources: () => HealthSources): Router {
  return endpointRouter(healthEndpoints, {
    health({ res }) {
      const { problems, down } = healthOf(sources());
      return success({ up: true, problems: withoutReason(res, 'up', problems, down) });
    },
    readiness({ res }) {
      const { problems, down } = healthOf(sources());
      return success({ ready: true, problems: withoutReason(res, 'ready', problems, down ?? problems[0]) });
    },
  });
}

/**
 * The problems as they are sent.
 * @throws {ApiError} there is a reason for 503
 */
function withoutReason(
  res: Response,
  name: 'up' | 'ready',
  found: readonly HealthProblem[],
  reason: HealthProblem | undefined,
) {
  res.set('cache-control', 'no-store');
  const problems = found.map(({ since, ...problem }) => ({ ...problem, since: new Date(since).toISOString() }));
  if (reason) {
    const headers = { 'retry-after': String(RETRY_SECONDS) };
    throw new ApiError(503, reason.code, reason.message, { details: { [name]: false, problems }, headers });
  }
  return problems;
}
