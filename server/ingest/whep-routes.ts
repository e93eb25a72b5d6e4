import { Router } from 'express';
import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import { AccessDeniedError, ApiError } from '../errors.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { parse } from '../http/request/parse.js';
import { callerOf, restOfPath } from './ingest-caller.js';
import type { IngestDependencies } from './ingest-dependencies.js';
import { whepPath, whepQuery } from './ingest-request.js';
import { noRepresentation } from './no-representation.js';
import { allowAnyOrigin } from './open-to-pages.js';
import { SDP, sdpBody } from './sdp-body.js';
import { sendSessionCreated } from './session-created.js';
import { requireSdpAccepted } from './takes-sdp.js';

/** How soon a stream that has not begun is worth asking for again. */
const LIVE_RETRY_SECONDS = 5;

/** `POST /api/whep/{accountId}/{streamName}`: a player watches (draft-ietf-wish-whep), by the same rules as any viewer. */
export function whepRoutes(dependencies: IngestDependencies): Router {
  const { admission, sessions, clientAddress } = dependencies;
  const router = Router();
  router.use(allowAnyOrigin({ methods: ['POST'], acceptPost: SDP }));
  router
    .route('/:accountId/*streamName')
    .post(requireSdpAccepted, sdpBody(SDP), async (req, res) => {
      const { accountId, streamName } = parse(whepPath, {
        accountId: req.params['accountId'],
        streamName: restOfPath(req.params['streamName']),
      });
      const { sourceId } = parse(whepQuery, req.query);
      const caller = callerOf(req, clientAddress);
      const outcome = await admission.admit('subscribe', { ...caller, accountId, streamName });
      if (!outcome.admitted) throw refusal(outcome.reason);
      sendSessionCreated(res, await sessions.view(outcome.grant, req.body, { pinnedSourceId: sourceId }), dependencies);
    })
    .all(noRepresentation, methodNotAllowed('POST'));
  return router;
}

/** As the director's, but that the draft has a status of its own for a stream that is not live (wire-facts 4.3). */
function refusal(reason: RuleRefusalCode): ApiError {
  if (reason !== 'stream_not_live') return new AccessDeniedError(reason);
  const headers = { 'retry-after': String(LIVE_RETRY_SECONDS) };
  return new ApiError(409, reason, 'Stream not found: stream not being published', { headers });
}
