import type { Router } from 'express';
import type { HealthProblemCode } from '../../src/wire/management/health.js';
import { ApiError } from '../errors.js';
import { endpointRouter } from './endpoints/endpoint-router.js';
import { healthEndpoints } from './endpoints/health-endpoint.js';
import { success } from './endpoints/endpoint.js';

export interface HealthProblem {
  readonly code: HealthProblemCode;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/**
 * `GET /healthz`: 200 while the server can admit viewers, 503 otherwise; other problems are in `problems`. Anybody may
 * call it, so that the response has no secrets.
 */
export function healthRoutes(problems: () => readonly HealthProblem[]): Router {
  return endpointRouter(healthEndpoints, {
    health({ res }) {
      res.set('cache-control', 'no-store');
      const found = problems();
      const health = {
        problems: found.map(({ code, message, since }) => ({ code, message, since: new Date(since).toISOString() })),
      };
      const down = found.find(({ code }) => code === 'database_unavailable');
      if (down) throw new ApiError(503, down.code, down.message, { details: { up: false, ...health } });
      return success({ up: true, ...health });
    },
  });
}
