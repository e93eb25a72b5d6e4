import { Router, type RequestHandler } from 'express';
import type { Admission } from '../../admission/admission.js';
import type { AuditStore } from '../../oversight/audit-store.js';
import type { RefusalLog } from '../../oversight/refusal-log.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import type { TokenService } from '../../tokens/token-service.js';
import { jsonBody } from '../middleware/json-body.js';
import { auditRoutes } from './audit.js';
import { explainRoutes, type ExplainRoutes } from './explain.js';
import { publishTokenRoutes, publishTokenUpdateRoutes } from './publish-tokens.js';
import { refusalRoutes } from './refusals.js';
import { streamStopRoutes } from './stream-stop.js';
import { subscribeTokenRoutes, subscribeTokenUpdateRoutes } from './subscribe-tokens.js';

export interface ManagementRoutes {
  /** Says which account a call is for, or refuses it. */
  readonly access: RequestHandler;
  readonly tokens: TokenService;
  readonly refusals: RefusalLog;
  readonly audit: AuditStore;
  /** Who is live, which only a running server knows. Without it there are no routes that ask. */
  readonly live?: LiveState;
  /** What explains refusals; that of `live` where there is one. */
  readonly explaining?: ExplainRoutes;
}

export interface LiveState {
  readonly streams: StreamRegistry;
  readonly admission: Pick<Admission, 'requestFor'>;
  readonly findToken: ExplainRoutes['findToken'];
}

/** The management API: what the holder of an account may do, from wherever `access` lets him in. */
export function managementRoutes(parts: ManagementRoutes): Router {
  const { access, tokens, refusals, audit, live, explaining = live } = parts;
  const router = Router();
  const management = [access, jsonBody()];
  const { streams } = live ?? {};
  const liveTokenIds = streams && ((accountId: string, id?: string) => streams.liveTokenIds(accountId, id));
  router.use('/api/publish_token', management, publishTokenRoutes(tokens, liveTokenIds));
  router.use('/api/v2/publish_token', management, publishTokenUpdateRoutes(tokens));
  router.use('/api/subscribe_token', management, subscribeTokenRoutes(tokens));
  router.use('/api/v2/subscribe_token', management, subscribeTokenUpdateRoutes(tokens));
  router.use('/api/refusals', management, refusalRoutes(refusals));
  router.use('/api/audit', management, auditRoutes(audit));
  if (live) router.use('/api/stream', management, streamStopRoutes(live.streams));
  if (explaining) router.use('/api/explain', management, explainRoutes(explaining));
  return router;
}
