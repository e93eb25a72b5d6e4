import { Router } from 'express';
import * as z from 'zod/mini';
import { tokenId, tokenListQuery } from '../../../src/wire/token.js';
import { tokenBody } from '../../tokens/token-body.js';
import type { TokenKind } from '../../tokens/token-record.js';
import type { TokenChange, TokenFields, TokenService } from '../../tokens/token-service.js';
import { success } from '../envelope.js';
import { accountOf } from '../middleware/management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parse, parseBody } from '../parse.js';

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
      const token = await tokens.create({ accountId: accountOf(req), kind }, parseBody(create, req));
      res.json(success(tokenBody(token)));
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/list')
    .get(async (req, res) => {
      const query = parse(tokenListQuery, req.query);
      const page = await tokens.list({ accountId: accountOf(req), kind }, query);
      const { total } = page;
      res.json(success(page.tokens.map(tokenBody), { total, page: query.page, itemsOnPage: query.itemsOnPage }));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/:id')
    .get(async (req, res) => {
      const { id } = parse(idParams, req.params);
      res.json(success(tokenBody(await tokens.get({ accountId: accountOf(req), kind }, id))));
    })
    .put(async (req, res) => {
      const { id } = parse(idParams, req.params);
      const token = await tokens.update({ accountId: accountOf(req), kind }, id, parseBody(update, req));
      res.json(success(tokenBody(token)));
    })
    .delete(async (req, res) => {
      const { id } = parse(idParams, req.params);
      await tokens.delete({ accountId: accountOf(req), kind }, id);
      res.json(success(true));
    })
    .all(methodNotAllowed('GET', 'PUT', 'DELETE'));

  return router;
}
