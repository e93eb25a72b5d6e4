import { Router } from 'express';
import { auditListQuery, type AuditBody } from '../../../src/wire/management/audit.js';
import type { AuditEntry } from '../../oversight/audit-entry.js';
import type { AuditStore } from '../../oversight/audit-store.js';
import { success } from '../envelope.js';
import { accountIdOf } from './management-access.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { parse } from '../request/parse.js';

/** `GET /api/audit`: who changed what, behind `managementAccess`. */
export function auditRoutes(audit: AuditStore): Router {
  const router = Router();
  router
    .route('/')
    .get(async (req, res) => {
      const query = parse(auditListQuery, req.query);
      const { entries, total } = await audit.list(accountIdOf(req), query);
      res.json(success(entries.map(auditBody), { total, page: query.page, itemsOnPage: query.itemsOnPage }));
    })
    .all(methodNotAllowed('GET'));
  return router;
}

export function auditBody({ id, time, actor, action, target, before, after }: AuditEntry): AuditBody {
  return { id, time: new Date(time).toISOString(), actor: { ...actor }, action, target, before, after };
}
