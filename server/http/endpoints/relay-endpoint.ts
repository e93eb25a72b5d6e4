import { RELAY_PATH, relayAnswer, relayRequest } from '../../cluster/relay/relay-message.js';
import { defineEndpoints, successOf } from './endpoint.js';

export const relayEndpoints = defineEndpoints({
  relay: {
    method: 'post',
    path: RELAY_PATH,
    id: 'relayStream',
    tag: 'Server',
    summary: 'Send a stream to another server on the same database',
    description:
      'Only servers on one PostgreSQL call it: the pass is signed with a key of their database, for one stream, one offer, this server and some seconds.',
    body: relayRequest,
    response: successOf(relayAnswer),
    access: 'open',
    errors: {
      400: ['invalid_sdp'],
      401: ['relay_refused'],
      409: ['relay_stale'],
      503: ['engine_unavailable'],
    },
  },
});
