import { Router } from 'express';
import { streamStop, type StoppingLevel } from '../../../src/wire/management/stream-stop.js';
import { NotFoundError } from '../../errors.js';
import { streamIdOf, type StreamRegistry } from '../../streams/stream-registry.js';
import { success } from '../envelope.js';
import { accountIdOf } from './management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parseBody } from '../request/parse.js';

const answer = (stoppingLevel: StoppingLevel) => success({ stoppingLevel });

/**
 * `/api/stream/stop` and `/stop/all`, behind `managementAccess` (wire-facts 1.4). The broadcaster is told why. It may
 * begin again with a token that still permits it, so whoever wants to end it for good disables the token.
 */
export function streamStopRoutes(streams: StreamRegistry): Router {
  const router = Router();

  router
    .route('/stop')
    .post((req, res) => {
      const { streamId } = parseBody(streamStop, req);
      if (!streamId.startsWith(streamIdOf(accountIdOf(req), ''))) {
        throw new NotFoundError('stream_not_found', 'This account has no such stream; a stream is named account/name');
      }
      res.json(answer(streams.stop(streamId) ? 'Stream' : 'None'));
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/stop/all')
    .post((req, res) => {
      res.json(answer(streams.stopAll(accountIdOf(req)) > 0 ? 'Account' : 'None'));
    })
    .all(methodNotAllowed('POST'));

  return router;
}
