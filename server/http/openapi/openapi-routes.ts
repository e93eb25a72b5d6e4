import { Router } from 'express';
import { methodNotAllowed } from '../middleware/not-found.js';
import { openApiDocument } from './openapi-document.js';

/** `GET /api/openapi.json`, open to everybody: it describes the API and holds no data. */
export function openApiRoutes(publicUrl: string | undefined): Router {
  const router = Router();
  let text: string | undefined;
  router
    .route('/api/openapi.json')
    .get((_req, res) => {
      text ??= JSON.stringify(openApiDocument(publicUrl));
      res.set({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' }).type('json').send(text);
    })
    .all(methodNotAllowed('GET'));
  return router;
}
