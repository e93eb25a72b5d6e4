import type { RequestHandler, Router } from 'express';
import type { UpstreamBody } from '../../../src/wire/management/upstream.js';
import { UPSTREAM_CAPABILITIES } from '../../upstream/upstream-capabilities.js';
import type { UpstreamService } from '../../upstream/upstream-service.js';
import { isReadable, type StoredUpstream } from '../../upstream/upstream.js';
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

const UNREADABLE: UpstreamBody['fault'] = {
  code: 'stored_row_unreadable',
  message: 'This upstream cannot be read, and its streams have no media: set it again, or remove it',
};

function upstreamBodyOf(upstream: StoredUpstream): UpstreamBody {
  if (!isReadable(upstream)) {
    const { streamName } = upstream;
    const unknown = { software: '', publishUrl: '', viewUrl: '', statusUrl: '', updatedOn: new Date(0).toISOString() };
    const none = { hasPublishToken: false, hasViewToken: false, hasStatusToken: false };
    return { streamName, ...unknown, ...none, unsupported: UNSUPPORTED, fault: UNREADABLE };
  }
  const { streamName, software, urls, tokens, updatedOn } = upstream;
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
    fault: null,
    updatedOn: new Date(updatedOn).toISOString(),
  };
}
