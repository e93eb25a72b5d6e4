import { Router } from 'express';
import { AccessDeniedError } from '../errors.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { parse } from '../http/request/parse.js';
import { callerOf, restOfPath } from './ingest-caller.js';
import type { IngestDependencies } from './ingest-dependencies.js';
import { whipPath, whipQuery } from './ingest-request.js';
import { noRepresentation } from './no-representation.js';
import { allowAnyOrigin } from './open-to-pages.js';
import { SDP, sdpBody } from './sdp-body.js';
import { sendSessionCreated } from './session-created.js';
import { requireSdpAccepted } from './takes-sdp.js';

/** `POST /api/whip/{streamName}`: an encoder goes live (RFC 9725), by the same rules as any broadcaster. */
export function whipRoutes(dependencies: IngestDependencies): Router {
  const { admission, sessions, clientAddress } = dependencies;
  const router = Router();
  router.use(allowAnyOrigin({ methods: ['POST'], acceptPost: SDP }));
  router
    .route('/*streamName')
    .post(requireSdpAccepted, sdpBody(SDP), async (req, res) => {
      const { streamName } = parse(whipPath, { streamName: restOfPath(req.params['streamName']) });
      const options = parse(whipQuery, req.query);
      const { sourceId = null } = options;
      const application = { ...callerOf(req, clientAddress), accountId: undefined, streamName, sourceId };
      const outcome = await admission.admit('publish', application);
      if (!outcome.admitted) throw new AccessDeniedError(outcome.reason, { retryInMs: outcome.retryInMs });
      const { grant } = outcome;
      const { tokenId } = grant;
      if (tokenId === null) throw new AccessDeniedError('token_missing');
      sendSessionCreated(res, await sessions.publish({ ...grant, tokenId }, req.body, options), dependencies);
    })
    .all(noRepresentation, methodNotAllowed('POST'));
  return router;
}
