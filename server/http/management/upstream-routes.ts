import type { RequestHandler, Router } from 'express';
import type { UpstreamBody } from '../../../src/wire/management/upstream.js';
import { UPSTREAM_CAPABILITIES } from '../../upstream/upstream-capabilities.js';
import type { UpstreamService } from '../../upstream/upstream-service.js';
import type { Upstream } from '../../upstream/upstream.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { success } from '../endpoints/endpoint.js';
import { upstreamEndpoints } from '../endpoints/upstream-endpoints.js';

/** `/api/upstreams` */
export function upstreamRoutes(upstreams: UpstreamService, accountAccess: RequestHandler): Router {
  return endpointRouter(
    upstreamEndpoints,
    {
      list: async ({ accountId }) => success((await upstreams.list(accountId)).map(upstreamBodyOf)),
      set: async ({ accountId, body }) => success(upstreamBodyOf(await upstreams.set(accountId, body))),
      async remove({ accountId, query: { streamName = null } }) {
        await upstreams.remove(accountId, streamName);
        return success(true);
      },
    },
    { accountAccess },
  );
}

const UNSUPPORTED = Object.entries(UPSTREAM_CAPABILITIES).flatMap(([name, can]) => (can === false ? [name] : []));

function upstreamBodyOf({ streamName, software, urls, tokens, updatedOn }: Upstream): UpstreamBody {
  return {
    streamName,
    software,
    publishUrl: urls.publish,
    viewUrl: urls.view,
    statusUrl: urls.status,
    hasPublishToken: tokens.publish !== null,
    hasViewToken: tokens.view !== null,
    hasStatusToken: tokens.status !== null,
    unsupported: UNSUPPORTED,
    updatedOn: new Date(updatedOn).toISOString(),
  };
}
