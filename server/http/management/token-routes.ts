import { Router, type RequestHandler } from 'express';
import * as z from 'zod/mini';
import { tokenId, tokenListQuery, type TokenListQuery } from '../../../src/wire/management/token.js';
import { tokenNameQuery } from '../../../src/wire/management/token-name-query.js';
import { tokenBody } from '../../tokens/token-body.js';
import type { TokenKind } from '../../tokens/token-record.js';
import type { TokenChange, TokenFields, TokenService } from '../../tokens/token-service.js';
import { success } from '../envelope.js';
import { idempotencyKey } from '../request/idempotency-key.js';
import { accountIdOf } from './management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parse, parseBody } from '../request/parse.js';

const idParams = z.object({ id: tokenId });

export interface TokenRoutes {
  readonly kind: TokenKind;
  readonly tokens: TokenService;
  readonly create: z.ZodMiniType<TokenFields>;
  readonly update: z.ZodMiniType<TokenChange>;
}

/** What can be done with the tokens of one kind, of the account that the request was let through for (wire-facts 1). */
export function tokenRoutes({ kind, tokens, create, update }: TokenRoutes): Router {
  const router = Router();

  router
    .route('/')
    .post(async (req, res) => {
      const scope = { accountId: accountIdOf(req), kind };
      const token = await tokens.create(scope, parseBody(create, req), idempotencyKey(req));
      res.json(success(tokenBody(token)));
    })
    .all(methodNotAllowed('POST'));

  const list =
    <Query extends TokenListQuery>(schema: z.ZodMiniType<Query>): RequestHandler =>
    async (req, res) => {
      const query = parse(schema, req.query);
      const page = await tokens.list({ accountId: accountIdOf(req), kind }, query);
      const { total } = page;
      res.json(success(page.tokens.map(tokenBody), { total, page: query.page, itemsOnPage: query.itemsOnPage }));
    };
  router.route('/list').get(list(tokenListQuery)).all(methodNotAllowed('GET'));
  router.route('/list_by_name').get(list(tokenNameQuery)).all(methodNotAllowed('GET'));

  router
    .route('/:id')
    .get(async (req, res) => {
      const { id } = parse(idParams, req.params);
      res.json(success(tokenBody(await tokens.get({ accountId: accountIdOf(req), kind }, id))));
    })
    .put(updateToken({ kind, tokens, update }))
    .delete(async (req, res) => {
      const { id } = parse(idParams, req.params);
      await tokens.delete({ accountId: accountIdOf(req), kind }, id);
      res.json(success(true));
    })
    .all(methodNotAllowed('GET', 'PUT', 'DELETE'));

  return router;
}

/** The second version of the service's API has the update and nothing else. Here both take both spellings. */
export function tokenUpdateRoutes(routes: Omit<TokenRoutes, 'create'>): Router {
  const router = Router();
  router.route('/:id').put(updateToken(routes)).all(methodNotAllowed('PUT'));
  return router;
}

function updateToken({ kind, tokens, update }: Omit<TokenRoutes, 'create'>): RequestHandler {
  return async (req, res) => {
    const { id } = parse(idParams, req.params);
    const token = await tokens.update({ accountId: accountIdOf(req), kind }, id, parseBody(update, req));
    res.json(success(tokenBody(token)));
  };
}
