import { Router } from 'express';
import type { Health, HealthProblemCode } from '../../src/wire/management/health.js';
import { ApiError } from '../errors.js';
import { success } from './envelope.js';
import { methodNotAllowed } from './middleware/not-found.js';

export interface HealthProblem {
  readonly code: HealthProblemCode;
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/**
 * `GET /healthz`: 200 while viewers can be let in, with what else is wrong in `problems`; 503 when they cannot. It says
 * nothing that strangers must not know.
 */
export function healthRoutes(problems: () => readonly HealthProblem[]): Router {
  const router = Router();
  router
    .route('/healthz')
    .get((_req, res) => {
      res.set('cache-control', 'no-store');
      const found = problems();
      const health = {
        problems: found.map(({ code, message, since }) => ({ code, message, since: new Date(since).toISOString() })),
      };
      const down = found.find(({ code }) => code === 'database_unavailable');
      if (down) throw new ApiError(503, down.code, down.message, { details: { up: false, ...health } });
      res.json(success({ up: true, ...health } satisfies Health));
    })
    .all(methodNotAllowed('GET'));
  return router;
}
