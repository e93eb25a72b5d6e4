import { Router } from 'express';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { AccessDeniedError, ApiError } from '../errors.js';
import { ingestEndpoints } from '../http/endpoints/ingest-endpoints.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { callerOf } from '../http/request/caller.js';
import { requestIdOf } from '../http/request/request-id.js';
import { parse, wildcardPath } from '../http/request/parse.js';
import { allowAnyOrigin, noRepresentation, requireSdpAccepted, SDP, sdpBody } from './ingest-middleware.js';
import type { IngestDependencies } from './ingest-sessions.js';
import { redirectElsewhere, sendSessionCreated } from './session-created.js';

/** When a client should ask again for a stream that is not live. */
const LIVE_RETRY_SECONDS = 5;

/**
 * `POST /api/whep/{accountId}/{streamName}`: a player views (draft-ietf-wish-whep). The rules are those of every viewer.
 */
export function whepRoutes(dependencies: IngestDependencies): Router {
  const { admission, sessions, places, entrance, turn, clientAddress } = dependencies;
  const router = Router();
  router.use(allowAnyOrigin({ methods: ['POST'], acceptPost: SDP }));
  router
    .route('/:accountId/*streamName')
    .post(requireSdpAccepted, sdpBody(SDP), async (req, res) => {
      await turn(req);
      const { accountId, streamName } = parse(ingestEndpoints.whep.params, {
        accountId: req.params['accountId'],
        streamName: wildcardPath(req.params['streamName']),
      });
      const { sourceId } = parse(ingestEndpoints.whep.query, req.query);
      const caller = callerOf(req, clientAddress);
      const result = await admission.admit('subscribe', { ...caller, accountId, streamName });
      if (!result.admitted) throw refusal(result.reason);
      if (redirectElsewhere(req, res, result.grant, places)) return;
      if (!sessions.answersAtOnce(result.grant)) throw refusal('stream_not_live');
      entrance.requireOpen();
      const session = await sessions.view(result.grant, {
        offer: req.body,
        requestId: requestIdOf(req),
        pinnedSourceId: sourceId,
      });
      sendSessionCreated(res, session, dependencies);
    })
    .all(noRepresentation, methodNotAllowed('POST'));
  return router;
}

/** The refusals of the director, except that the draft has another status for a stream that is not live. */
function refusal(code: RuleRefusalCode): ApiError {
  if (code !== 'stream_not_live') return new AccessDeniedError(code);
  const headers = { 'retry-after': String(LIVE_RETRY_SECONDS) };
  return new ApiError(409, code, 'Stream not found: stream not being published', { headers });
}
