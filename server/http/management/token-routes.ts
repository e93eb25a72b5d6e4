import { Router, type RequestHandler, type Response } from 'express';
import { createPublishToken, createSubscribeToken } from '../../../src/wire/management/token.js';
import { parse } from '../request/parse.js';
import { originOf } from '../pages/origin-of.js';
import { tokenLinks } from '../../tokens/import/token-links.js';
import { tokenBody } from '../../tokens/token-body.js';
import type { TokenKind, TokenRecord } from '../../tokens/token-record.js';
import type { TokenService } from '../../tokens/token-service.js';
import type { TokenScope } from '../../tokens/token-store.js';
import { endpointRouter, type EndpointCall, type EndpointHandlers } from '../endpoints/endpoint-router.js';
import {
  activeTokenEndpoints,
  disableTokensEndpoints,
  openSessionsEndpoints,
  publishTokenEndpoints,
  subscribeTokenEndpoints,
  type TokenEndpoints,
} from '../endpoints/token-endpoints.js';
import { success } from '../endpoints/endpoint.js';
import { linkNextPage } from '../request/next-page.js';
import { entityTagOf, requireEntityTag } from '../request/entity-tag.js';
import { namesOf, type StreamId } from '../../streams/stream-id.js';

/** The publish tokens that broadcasts of an account were started with; with `streamId`, only on that stream. */
export type LiveTokenIds = (accountId: string, streamId?: StreamId) => readonly number[];

export interface TokenRoutesServices {
  readonly tokens: TokenService;
  /** The origin of this server for clients. Undefined: the host of each request. */
  readonly publicUrl: string | undefined;
}

/** `/api/publish_token`, `/api/subscribe_token` and their update at `/api/v2`. */
export function tokenRoutes({ tokens, publicUrl }: TokenRoutesServices, accountAccess: RequestHandler): Router {
  const router = Router();
  router.use(
    endpointRouter(
      disableTokensEndpoints,
      {
        disable: async ({ accountId, body: { tokenIds } }) =>
          success(await tokens.disable({ accountId, kind: 'publish' }, tokenIds)),
      },
      { accountAccess },
    ),
    endpointRouter(publishTokenEndpoints, tokenHandlers('publish', { tokens, publicUrl }), { accountAccess }),
    endpointRouter(subscribeTokenEndpoints, tokenHandlers('subscribe', { tokens, publicUrl }), { accountAccess }),
  );
  return router;
}

/** `/api/publish_token/active`. To be mounted before `tokenRoutes`, where `active` would be read as an id. */
export function activeTokenRoutes(liveTokenIds: LiveTokenIds, accountAccess: RequestHandler): Router {
  return endpointRouter(
    activeTokenEndpoints,
    {
      active({ accountId, query: { streamId } }) {
        const isOwn = namesOf(streamId).accountId === accountId;
        return success({ tokenIds: isOwn ? [...liveTokenIds(accountId, streamId)] : [] });
      },
      activeAll: ({ accountId }) => success({ tokenIds: [...liveTokenIds(accountId)] }),
    },
    { accountAccess },
  );
}

/** The sessions that are open on this server with some of these tokens of an account. */
export type OpenSessionCount = (scope: TokenScope, tokenIds: readonly number[]) => number;

/** `/api/publish_token/open_sessions` and the same for subscribe tokens. */
export function openSessionsRoutes(count: OpenSessionCount, accountAccess: RequestHandler): Router {
  const counted = (kind: TokenKind, { accountId, body }: { accountId: string; body: { tokenIds: number[] } }) =>
    success({ sessions: count({ accountId, kind }, [...new Set(body.tokenIds)]) });
  return endpointRouter(
    openSessionsEndpoints,
    { publish: (call) => counted('publish', call), subscribe: (call) => counted('subscribe', call) },
    { accountAccess },
  );
}

type UpdateCall = Pick<EndpointCall<TokenEndpoints['update']>, 'accountId' | 'params' | 'body' | 'headers' | 'res'>;

type ListCall = Pick<EndpointCall<TokenEndpoints['list' | 'listByName']>, 'accountId' | 'query' | 'req' | 'res'>;

function tokenHandlers(kind: TokenKind, { tokens, publicUrl }: TokenRoutesServices): EndpointHandlers<TokenEndpoints> {
  const list = async ({ accountId, query, req, res }: ListCall) => {
    const { tokens: found, total } = await tokens.list({ accountId, kind }, query);
    linkNextPage(req, res, query, total);
    return success(found.map(tokenBody), { total, page: query.page, itemsOnPage: query.itemsOnPage });
  };
  /** The answer with a token, and its entity tag. */
  const answer = (res: Response, token: TokenRecord) => {
    res.set('ETag', entityTagOf(token));
    return success(tokenBody(token));
  };
  const update = async ({ accountId, params, body, headers, res }: UpdateCall) => {
    const check = (present: TokenRecord) => requireEntityTag(present, headers['If-Match']);
    return answer(res, await tokens.update({ accountId, kind }, params.id, body, check));
  };
  return {
    create: async ({ accountId, body, headers, res }) =>
      answer(res, await tokens.create({ accountId, kind }, body, headers['Idempotency-Key'])),
    list,
    listByName: list,
    change: async ({ accountId, body: { action, tokenIds } }) =>
      success({ results: await tokens.changeSeveral({ accountId, kind }, action, tokenIds) }),
    async import({ accountId, query: { dryRun }, body, req }) {
      const schema = kind === 'publish' ? createPublishToken : createSubscribeToken;
      const imported = await tokens.import({ accountId, kind }, body, { parse: (line) => parse(schema, line), dryRun });
      const origin = originOf(req, publicUrl);
      const links = imported.tokens.flatMap((token) => tokenLinks(token, origin));
      return success({ count: imported.count, tokens: imported.tokens.map(tokenBody), links });
    },
    get: async ({ accountId, params: { id }, res }) => answer(res, await tokens.get({ accountId, kind }, id)),
    update,
    // The API has an update of version 2. Both versions accept the field names of both.
    updateV2: update,
    async delete({ accountId, params: { id } }) {
      await tokens.delete({ accountId, kind }, id);
      return success(true);
    },
  };
}
