import { Router } from 'express';
import { AccessDeniedError } from '../errors.js';
import { ingestEndpoints } from '../http/endpoints/ingest-endpoints.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { callerOf } from '../http/request/caller.js';
import { requestIdOf } from '../http/request/request-id.js';
import { parse, wildcardPath } from '../http/request/parse.js';
import { allowAnyOrigin, noRepresentation, requireSdpAccepted, SDP, sdpBody } from './ingest-middleware.js';
import type { IngestDependencies } from './ingest-sessions.js';
import { redirectElsewhere, sendSessionCreated } from './session-created.js';

/** `POST /api/whip/{streamName}`: an encoder publishes (RFC 9725). The rules are those of every publisher. */
export function whipRoutes(dependencies: IngestDependencies): Router {
  const { admission, sessions, places, entrance, turn, clientAddress } = dependencies;
  const router = Router();
  router.use(allowAnyOrigin({ methods: ['POST'], acceptPost: SDP }));
  router
    .route('/*streamName')
    .post(requireSdpAccepted, sdpBody(SDP), async (req, res) => {
      await turn(req);
      const { streamName } = parse(ingestEndpoints.whip.params, { streamName: wildcardPath(req.params['streamName']) });
      const options = parse(ingestEndpoints.whip.query, req.query);
      const { sourceId = null } = options;
      const attempt = { ...callerOf(req, clientAddress), accountId: undefined, streamName, sourceId };
      const result = await admission.admit('publish', attempt);
      if (!result.admitted) throw new AccessDeniedError(result.reason, { retryInMs: result.retryInMs });
      const { grant } = result;
      const { tokenId } = grant;
      if (tokenId === null) throw new AccessDeniedError('token_missing');
      if (redirectElsewhere(req, res, grant, places)) return;
      entrance.requireOpen();
      const offer = { offer: req.body, requestId: requestIdOf(req), ...options };
      sendSessionCreated(res, await sessions.publish({ ...grant, tokenId }, offer), dependencies);
    })
    .all(noRepresentation, methodNotAllowed('POST'));
  return router;
}
