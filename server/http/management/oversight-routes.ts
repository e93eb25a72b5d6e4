import { Router, type Request, type RequestHandler } from 'express';
import type { AuditBody } from '../../../src/wire/management/audit.js';
import type { RefusalBody, RefusalGroupBody } from '../../../src/wire/management/refusal.js';
import { targetNameOf, type AuditEntry } from '../../oversight/audit-entry.js';
import type { AuditStore } from '../../oversight/audit-store.js';
import type { RefusalLog } from '../../oversight/refusal-log.js';
import type { RefusalGroup } from '../../oversight/refusal-store.js';
import type { StoredRefusal } from '../../oversight/refusal.js';
import type { TokenLabels } from '../../tokens/token-labels.js';
import { withTokenLabels } from './labelled-tokens.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { auditEndpoints, refusalEndpoints } from '../endpoints/management-endpoints.js';
import { success } from '../endpoints/endpoint.js';
import { linkNextPage } from '../request/next-page.js';

export interface OversightServices {
  readonly audit: AuditStore;
  readonly refusals: RefusalLog;
  readonly labels: TokenLabels;
}

/** `/api/refusals` and `/api/audit`. */
export function oversightRoutes({ audit, refusals, labels }: OversightServices, accountAccess: RequestHandler): Router {
  const router = Router();
  router.use(
    endpointRouter(
      refusalEndpoints,
      {
        async list({ accountId, query, req, res }) {
          const { refusals: found, total } = await refusals.list(accountId, query);
          linkNextPage(req, res, query, total);
          const { page, itemsOnPage } = query;
          const bodies = await withTokenLabels(labels, req, found.map(refusalBody));
          return success(bodies, { total, page, itemsOnPage, dropped: refusals.dropped });
        },
        async groups({ accountId, query, req, res }) {
          const { groups, total } = await refusals.groups(accountId, query);
          linkNextPage(req, res, query, total);
          const bodies = await withTokenLabels(labels, req, groups.map(groupBody));
          return success(bodies, { total, page: query.page, itemsOnPage: query.itemsOnPage });
        },
      },
      { accountAccess },
    ),
    endpointRouter(
      auditEndpoints,
      {
        async list({ accountId, query, req, res }) {
          const { entries, total } = await audit.list(accountId, query);
          linkNextPage(req, res, query, total);
          const bodies = await withTargetNames(labels, req, entries);
          return success(bodies, { total, page: query.page, itemsOnPage: query.itemsOnPage });
        },
      },
      { accountAccess },
    ),
  );
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

function groupBody({ kind, reason, tokenId, origin, refusals, firstOn, lastOn }: RefusalGroup): RefusalGroupBody {
  return {
    kind,
    reason,
    tokenId,
    origin: origin ?? null,
    refusals,
    firstOn: new Date(firstOn).toISOString(),
    lastOn: new Date(lastOn).toISOString(),
  };
}

/** Each target as it is called now, or else as it was called when it changed. */
async function withTargetNames(
  labels: TokenLabels,
  req: Request,
  entries: readonly AuditEntry[],
): Promise<AuditBody[]> {
  const found = entries.map((entry) => ({ entry, tokenId: tokenIdOf(entry) }));
  return (await withTokenLabels(labels, req, found)).map(({ entry, tokenLabel }) => {
    const { id, time, actor, action, target, before, after } = entry;
    const name = tokenLabel ?? targetNameOf(entry);
    return {
      id,
      time: new Date(time).toISOString(),
      actor: { ...actor },
      action,
      target: { ...target, name },
      before,
      after,
    };
  });
}

const tokenIdOf = ({ target: { kind, id } }: AuditEntry): number | null =>
  kind === 'publish_token' || kind === 'subscribe_token' ? Number(id) : null;
