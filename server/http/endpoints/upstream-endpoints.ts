import * as z from 'zod/mini';
import { removeUpstream, setUpstream, upstreamBody, upstreamList } from '../../../src/wire/management/upstream.js';
import { defineEndpoints, successOf } from './endpoint.js';

const common = { tag: 'Upstreams', access: 'account', permission: 'account', path: '/api/upstreams' } as const;

export const upstreamEndpoints = defineEndpoints({
  list: {
    ...common,
    method: 'get',
    id: 'listUpstreams',
    summary: 'List the servers that carry the media of this account',
    description: 'That of all streams first. Their tokens are never shown.',
    response: upstreamList,
  },
  set: {
    ...common,
    method: 'put',
    id: 'setUpstream',
    summary: 'Have another server carry the media of a stream, or of all streams of this account',
    description:
      'Offers are sent to `publishUrl` (WHIP) and `viewUrl` (WHEP), and `statusUrl` is asked whether the stream is live. `{account}` and `{name}` in an address are filled in. A token that is not given is kept while its address has the same origin; null removes it. Open sessions of these streams connect again; servers know the change within five seconds.',
    body: setUpstream,
    response: successOf(upstreamBody),
    errors: { 400: ['upstream_address_refused'], 409: ['upstreams_full'] },
  },
  remove: {
    ...common,
    method: 'delete',
    id: 'removeUpstream',
    summary: 'Have this server carry the media again',
    description: 'Without `streamName`, the upstream of all streams is removed; those of single streams stay.',
    query: removeUpstream,
    response: successOf(z.literal(true)),
    errors: { 404: ['upstream_not_found'] },
  },
});
