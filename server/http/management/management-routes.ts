import { Router, type RequestHandler } from 'express';
import type { Admission } from '../../admission/admission.js';
import type { AuditStore } from '../../oversight/audit-store.js';
import type { RefusalLog } from '../../oversight/refusal-log.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import type { TokenService } from '../../tokens/token-service.js';
import { jsonBody } from '../middleware/json-body.js';
import { auditRoutes } from './audit-routes.js';
import { explainRoutes, type ExplainSource } from './explain-routes.js';
import { publishTokenRoutes, publishTokenUpdateRoutes } from './publish-token-routes.js';
import { refusalRoutes } from './refusal-routes.js';
import { streamStopRoutes } from './stream-stop-routes.js';
import { subscribeTokenRoutes, subscribeTokenUpdateRoutes } from './subscribe-token-routes.js';

export interface ManagementServices {
  /** Says which account a call is for, or refuses it. */
  readonly access: RequestHandler;
  readonly tokens: TokenService;
  readonly refusals: RefusalLog;
  readonly audit: AuditStore;
  /** Who is live, which only a running server knows. Without it there are no routes that ask. */
  readonly live?: LiveState;
  /** What explains refusals; that of `live` where there is one. */
  readonly explain?: ExplainSource;
}

export interface LiveState {
  readonly streams: StreamRegistry;
  readonly admission: Pick<Admission, 'requestFor'>;
  readonly findToken: ExplainSource['findToken'];
}

/** The management API: what the holder of an account may do, from wherever `access` lets him in. */
export function managementRoutes(parts: ManagementServices): Router {
  const { access, tokens, refusals, audit, live, explain = live } = parts;
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
  if (explain) router.use('/api/explain', management, explainRoutes(explain));
  return router;
}
