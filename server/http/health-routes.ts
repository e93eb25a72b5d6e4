import type { Response, Router } from 'express';
import { ApiError } from '../errors.js';
import type { FaultCount } from '../faults/contained-faults.js';
import { endpointRouter } from './endpoints/endpoint-router.js';
import { healthEndpoints } from './endpoints/health-endpoint.js';
import { success } from './endpoints/endpoint.js';
import { healthOf, type HealthProblem, type HealthSources } from './health.js';

/** When to ask again, in seconds. */
const RETRY_SECONDS = 5;

/**
 * `GET /livez`: 200. `GET /healthz`: 200 while the server can admit viewers. `GET /readyz`: 200 while nothing is wrong.
 * Otherwise 503, and all problems are in `problems`. Anybody may call them, so that the responses have no secrets.
 * @param faults those that were contained: told by `/readyz`, and no reason to send clients elsewhere
 */
export function healthRoutes(sources: () => HealthSources, faults: () => readonly FaultCount[] = () => []): Router {
  return endpointRouter(healthEndpoints, {
    liveness({ res }) {
      res.set('cache-control', 'no-store');
      return success({ alive: true });
    },
    health({ res }) {
      const { problems, down } = healthOf(sources());
      return success({ up: true, ...withoutReason(res, 'up', { problems }, down) });
    },
    readiness({ res }) {
      const { problems, warnings, down } = healthOf(sources());
      const found = { problems, warnings, faults: faults() };
      return success({ ready: true, ...withoutReason(res, 'ready', found, down ?? problems[0]) });
    },
  });
}

interface Found {
  readonly problems: readonly HealthProblem[];
  readonly warnings?: readonly HealthProblem<string>[];
  readonly faults?: readonly FaultCount[];
}

/**
 * The problems as they are sent.
 * @throws {ApiError} there is a reason for 503
 */
function withoutReason(res: Response, name: 'up' | 'ready', found: Found, reason: HealthProblem | undefined) {
  res.set('cache-control', 'no-store');
  const details = {
    problems: found.problems.map(sent),
    ...(found.warnings && { warnings: found.warnings.map(sent) }),
    ...(found.faults && { faults: found.faults.map(({ last, ...fault }) => ({ ...fault, last: isoOf(last) })) }),
  };
  if (reason) {
    const headers = { 'retry-after': String(RETRY_SECONDS) };
    throw new ApiError(503, reason.code, reason.message, { details: { [name]: false, ...details }, headers });
  }
  return details;
}

const sent = ({ since, ...problem }: HealthProblem<string>) => ({ ...problem, since: isoOf(since) });

const isoOf = (time: number): string => new Date(time).toISOString();
