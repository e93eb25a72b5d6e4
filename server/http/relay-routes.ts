import type { Router } from 'express';
import type { RelayAnswer, RelayRequest } from '../cluster/relay/relay-message.js';
import { endpointRouter } from './endpoints/endpoint-router.js';
import { success } from './endpoints/endpoint.js';
import { relayEndpoints } from './endpoints/relay-endpoint.js';

/** `POST /api/relay`: another server on the database asks for a stream of this one. */
export function relayRoutes(answer: (request: RelayRequest) => Promise<RelayAnswer>): Router {
  return endpointRouter(relayEndpoints, {
    async relay({ body, res }) {
      res.set('cache-control', 'no-store');
      return success(await answer(body));
    },
  });
}
