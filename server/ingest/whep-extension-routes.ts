import { Router, type Request } from 'express';
import { layerChoice } from '../../src/wire/websocket/layer-choice.js';
import { NotFoundError } from '../errors.js';
import { jsonBody } from '../http/middleware/json-body.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { parseBody } from '../http/request/parse.js';
import type { LayerChoice } from '../media/media-engine.js';
import { sessionApiError } from '../sessions/session-api-error.js';
import { eventNames } from './ingest-request.js';
import type { IngestSessions, WhepSession } from './ingest-sessions.js';
import { allowAnyOrigin } from './open-to-pages.js';
import { sessionUrl } from './session-created.js';

/** The extensions of the WHEP draft, below the URL of a viewer's session: server-sent events, and the layer to watch. */
export function extensionRoutes(sessions: IngestSessions, publicUrl: string | undefined): Router {
  const router = Router();
  const known = (req: Request): WhepSession => {
    const session = sessions.find(String(req.params['key']));
    if (session.protocol === 'WHEP') return session;
    throw new NotFoundError('session_not_found', 'Only sessions of viewers have events and layers');
  };

  router
    .route('/:key/events')
    .all(allowAnyOrigin({ methods: ['POST'], acceptPost: 'application/json' }))
    .post(jsonBody(), (req, res) => {
      const { key, line } = known(req);
      const names = parseBody(eventNames, req);
      const id = line.open(Array.isArray(names) ? names : undefined);
      const location = `${sessionUrl(publicUrl, key)}/events/${id}`;
      res.status(201).set({ Location: location, 'Cache-Control': 'no-store' }).end();
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/:key/events/:id')
    .all(allowAnyOrigin({ methods: ['GET', 'DELETE'] }))
    // Or Express would take it for a GET, and the stream from whoever reads it.
    .head((req, res) => {
      known(req);
      res.type('text/event-stream').end();
    })
    .get((req, res) => known(req).line.connect(req.params.id, res))
    .delete((req, res) => {
      known(req).line.close(req.params.id);
      res.status(200).end();
    })
    .all(methodNotAllowed('GET', 'DELETE'));

  router
    .route('/:key/layer')
    .all(allowAnyOrigin({ methods: ['POST', 'DELETE'], acceptPost: 'application/json' }))
    .post(jsonBody(), async (req, res) => {
      // There is one video to choose for: the draft's `mediaId` says nothing more.
      await select(known(req), parseBody(layerChoice, req));
      res.status(200).end();
    })
    .delete(async (req, res) => {
      await select(known(req), {});
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
