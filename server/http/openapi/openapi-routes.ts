import { Router } from 'express';
import { openApiDocument } from './openapi-document.js';
import { methodNotAllowed } from '../middleware/not-found.js';

/** `GET /api/openapi.json`. Open to everybody: it says what the API is, not what is in it. */
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
