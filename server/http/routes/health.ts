import { Router } from 'express';
import { success } from '../envelope.js';
import { methodNotAllowed } from '../middleware/not-found.js';

/** `GET /healthz` answers when the server is up. It says nothing that strangers must not know. */
export function healthRoutes(): Router {
  const router = Router();
  router
    .route('/healthz')
    .get((_req, res) => {
      res.set('cache-control', 'no-store').json(success({ up: true }));
    })
    .all(methodNotAllowed('GET'));
  return router;
}
