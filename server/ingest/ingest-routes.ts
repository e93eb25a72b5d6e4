import { Router } from 'express';
import { extensionRoutes } from './whep-extension-routes.js';
import type { IngestDependencies } from './ingest-dependencies.js';
import { plainTextErrors } from './plain-errors.js';
import { SESSIONS_PATH } from './session-created.js';
import { sessionRoutes } from './session-routes.js';
import { whepRoutes } from './whep-routes.js';
import { whipRoutes } from './whip-routes.js';

/** WHIP and WHEP: the standard ways in and out, for encoders and players that know nothing of us. */
export function ingestRoutes(dependencies: IngestDependencies): Router {
  const { sessions, publicUrl, log } = dependencies;
  const refusals = plainTextErrors(log);
  const router = Router();
  router.use('/api/whip', whipRoutes(dependencies), refusals);
  router.use('/api/whep', whepRoutes(dependencies), refusals);
  router.use(SESSIONS_PATH, sessionRoutes(sessions), extensionRoutes(sessions, publicUrl), refusals);
  return router;
}
