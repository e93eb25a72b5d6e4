import { Router } from 'express';
import { activeTokensQuery } from '../../../src/wire/management/active-tokens.js';
import { createPublishToken, updatePublishToken } from '../../../src/wire/management/token.js';
import { disableTokens } from '../../../src/wire/management/token-disable.js';
import type { TokenService } from '../../tokens/token-service.js';
import { success } from '../envelope.js';
import { accountIdOf } from './management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parse, parseBody } from '../request/parse.js';
import { tokenRoutes, tokenUpdateRoutes } from './token-routes.js';

/** The tokens that an account's broadcasts are under way with; of one stream, where `streamId` names it. */
export type LiveTokenIds = (accountId: string, streamId?: string) => readonly number[];

/** `/api/publish_token`, behind `managementAccess`. What is live is not asked for where nobody can tell. */
export function publishTokenRoutes(tokens: TokenService, liveTokenIds?: LiveTokenIds): Router {
  const router = Router();
  if (liveTokenIds) router.use('/active', activeTokenRoutes(liveTokenIds));

  router
    .route('/disable')
    .patch(async (req, res) => {
      const { tokenIds } = parseBody(disableTokens, req);
      res.json(success(await tokens.disable({ accountId: accountIdOf(req), kind: 'publish' }, tokenIds)));
    })
    .all(methodNotAllowed('PATCH'));

  router.use(tokenRoutes({ kind: 'publish', tokens, create: createPublishToken, update: updatePublishToken }));
  return router;
}

function activeTokenRoutes(liveTokenIds: LiveTokenIds): Router {
  const router = Router();

  router
    .route('/')
    .get((req, res) => {
      const accountId = accountIdOf(req);
      const { streamId } = parse(activeTokensQuery, req.query);
      const isOwn = streamId.startsWith(`${accountId}/`);
      res.json(success({ tokenIds: isOwn ? liveTokenIds(accountId, streamId) : [] }));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/all')
    .get((req, res) => {
      res.json(success({ tokenIds: liveTokenIds(accountIdOf(req)) }));
    })
    .all(methodNotAllowed('GET'));

  return router;
}

/** `/api/v2/publish_token`, behind `managementAccess`. */
export function publishTokenUpdateRoutes(tokens: TokenService): Router {
  return tokenUpdateRoutes({ kind: 'publish', tokens, update: updatePublishToken });
}
