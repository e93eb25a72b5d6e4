import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { openApiDocument } from '../openapi/document.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { pageHeaders } from './pages.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Streamgate API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

// In a file of its own, for the page's policy lets no script stand in the page itself.
const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n`;

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

/** `GET /api/openapi.json`, and `GET /api/docs` for people. Open to everybody: they say what the API is, not what is in it. */
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

  router
    .route('/api/docs')
    .get(pageHeaders("'none'"), (_req, res) => {
      res.set('cache-control', 'no-cache').type('html').send(PAGE);
    })
    .all(methodNotAllowed('GET'));

  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const asset of ASSETS) {
    router.get(`/api/docs/${asset}`, (_req, res) => res.sendFile(join(folder, asset), { maxAge: '1h' }));
  }
  router.get('/api/docs/start.js', (_req, res) => {
    res.set('cache-control', 'no-cache').type('js').send(START);
  });
  return router;
}
