import { Router } from 'express';
import { plainTextErrors } from './ingest-middleware.js';
import type { IngestDependencies } from './ingest-sessions.js';
import { SESSIONS_PATH } from './session-created.js';
import { sessionRoutes } from './session-routes.js';
import { whepExtensionRoutes } from './whep-extension-routes.js';
import { whepRoutes } from './whep-routes.js';
import { whipRoutes } from './whip-routes.js';

/** The routes of WHIP and WHEP, for encoders and players that speak only the standards. */
export function ingestRoutes(dependencies: IngestDependencies): Router {
  const { sessions, places, turn, log } = dependencies;
  const errors = plainTextErrors(log);
  const router = Router();
  router.use('/api/whip', whipRoutes(dependencies), errors);
  router.use('/api/whep', whepRoutes(dependencies), errors);
  router.use(
    SESSIONS_PATH,
    sessionRoutes(sessions, turn),
    whepExtensionRoutes(sessions, { nodeUrl: places.nodeUrl, turn }),
    errors,
  );
  return router;
}
