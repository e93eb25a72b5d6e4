import type { RequestHandler, Router } from 'express';
import { NotFoundError } from '../../errors.js';
import { namesOf } from '../../streams/stream-id.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { streamEndpoints } from '../endpoints/management-endpoints.js';
import { success } from '../endpoints/endpoint.js';

/**
 * `/api/stream/stop` and `/api/stream/stop/all`. The broadcaster receives the reason. Their token still
 * permits another broadcast: to end it for good, disable the token too.
 */
export function streamStopRoutes(streams: StreamRegistry, accountAccess: RequestHandler): Router {
  return endpointRouter(
    streamEndpoints,
    {
      async stop({ accountId, body: { streamId } }) {
        const stream = namesOf(streamId);
        if (stream.accountId !== accountId) {
          throw new NotFoundError(
            'stream_not_found',
            'This account has no such stream; the id of a stream is account/name',
          );
        }
        return success({ stoppingLevel: (await streams.stop(accountId, stream.streamName)) ? 'Stream' : 'None' });
      },
      async stopAll({ accountId }) {
        return success({ stoppingLevel: (await streams.stopAll(accountId)) > 0 ? 'Account' : 'None' });
      },
    },
    { accountAccess },
  );
}
