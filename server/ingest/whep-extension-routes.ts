import { Router, type Request } from 'express';
import { NotFoundError } from '../errors.js';
import { ingestEndpoints } from '../http/endpoints/ingest-endpoints.js';
import { jsonBody } from '../http/request/json-body.js';
import type { RequestTurn } from '../http/request/request-turn.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { parseBody } from '../http/request/parse.js';
import type { LayerChoice } from '../media/engine/media-session.js';
import { sessionApiError } from '../sessions/session-error.js';
import { allowAnyOrigin } from './ingest-middleware.js';
import type { IngestSessions, WhepSession } from './ingest-sessions.js';
import { sessionUrl } from './session-created.js';

/** The extensions of the WHEP draft, below the URL of a viewer's session: server-sent events and layer selection. */
export function whepExtensionRoutes(
  sessions: IngestSessions,
  { nodeUrl, turn }: { readonly nodeUrl: string | undefined; readonly turn: RequestTurn },
): Router {
  const router = Router();
  const sessionOf = (req: Request): WhepSession => {
    const session = sessions.find(String(req.params['key']));
    if (session.protocol === 'WHEP') return session;
    throw new NotFoundError('session_not_found', 'Only sessions of viewers have events and layers');
  };

  router
    .route('/:key/events')
    .all(allowAnyOrigin({ methods: ['POST'], acceptPost: 'application/json' }))
    .post(jsonBody(), async (req, res) => {
      await turn(req);
      const { key, eventStreams } = sessionOf(req);
      const names = parseBody(ingestEndpoints.openEvents.body, req);
      const id = eventStreams.open(Array.isArray(names) ? names : undefined);
      const location = `${sessionUrl(nodeUrl, key)}/events/${id}`;
      res.status(201).set({ Location: location, 'Cache-Control': 'no-store' }).end();
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/:key/events/:id')
    .all(allowAnyOrigin({ methods: ['GET', 'DELETE'] }))
    // Without this Express treats HEAD as GET, and HEAD would take the stream from its reader.
    .head((req, res) => {
      sessionOf(req);
      res.type('text/event-stream').end();
    })
    .get((req, res) => sessionOf(req).eventStreams.connect(req.params.id, res))
    .delete((req, res) => {
      sessionOf(req).eventStreams.close(req.params.id);
      res.status(200).end();
    })
    .all(methodNotAllowed('GET', 'DELETE'));

  router
    .route('/:key/layer')
    .all(allowAnyOrigin({ methods: ['POST', 'DELETE'], acceptPost: 'application/json' }))
    .post(jsonBody(), async (req, res) => {
      await turn(req);
      // The draft's `mediaId` is not needed: there is only one video to select a layer for.
      await select(sessionOf(req), parseBody(ingestEndpoints.selectLayer.body, req));
      res.status(200).end();
    })
    .delete(async (req, res) => {
      await select(sessionOf(req), {});
      res.status(200).end();
    })
    .all(methodNotAllowed('POST', 'DELETE'));
  return router;
}

async function select({ session }: WhepSession, layer: LayerChoice): Promise<void> {
  try {
    await session.select(layer);
  } catch (error) {
    throw sessionApiError(error);
  }
}
