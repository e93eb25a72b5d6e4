import { Router } from 'express';
import { refusalListQuery, type RefusalBody } from '../../../src/wire/management/refusal.js';
import type { StoredRefusal } from '../../oversight/refusal.js';
import type { RefusalLog } from '../../oversight/refusal-log.js';
import { success } from '../envelope.js';
import { accountIdOf } from './management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parse } from '../request/parse.js';

/** `GET /api/refusals`: who was turned away and why, behind `managementAccess`. */
export function refusalRoutes(refusals: RefusalLog): Router {
  const router = Router();
  router
    .route('/')
    .get(async (req, res) => {
      const query = parse(refusalListQuery, req.query);
      const { refusals: found, total } = await refusals.list(accountIdOf(req), query);
      const { page, itemsOnPage } = query;
      res.json(success(found.map(refusalBody), { total, page, itemsOnPage, dropped: refusals.dropped }));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

export function refusalBody(refusal: StoredRefusal): RefusalBody {
  const { id, time, kind, tokenId, streamName, namedAccount, origin, address, reason } = refusal;
  return {
    id,
    time: new Date(time).toISOString(),
    kind,
    tokenId,
    streamName,
    namedAccount: namedAccount ?? null,
    origin: origin ?? null,
    address: address || null,
    reason,
  };
}
