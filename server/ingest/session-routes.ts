import { Router, type Request } from 'express';
import { ApiError } from '../errors.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { ifMatch } from './entity-tag.js';
import type { IngestSession, IngestSessions } from './ingest-sessions.js';
import { noRepresentation } from './no-representation.js';
import { allowAnyOrigin } from './open-to-pages.js';
import { SDP_FRAGMENT, sdpBody } from './sdp-body.js';
import { readSdpFragment, sameIceSession } from './sdp-fragment.js';

/**
 * `/api/sessions/{key}`: what a WHIP or WHEP client does with its session. The URL is all that is asked for, because
 * the event streams of browsers can bring no token: it is told once, to the client itself, and ends with the session.
 */
export function sessionRoutes(sessions: IngestSessions): Router {
  const router = Router();
  const known = (req: Request): IngestSession => sessions.find(String(req.params['key']));
  router
    .route('/:key')
    .all(allowAnyOrigin({ methods: ['PATCH', 'DELETE'], acceptPatch: SDP_FRAGMENT }))
    .all((req, _res, next) => void (known(req), next()))
    .patch(sdpBody(SDP_FRAGMENT), (req, res) => {
      const session = known(req);
      requireIceSession(session, req.get('if-match'));
      // The candidates themselves are of no use: we send to whoever reaches us and knows the session's password.
      if (!sameIceSession(readSdpFragment(req.body), session.ice)) throw noRestart();
      res.status(204).end();
    })
    .delete((req, res) => {
      sessions.end(known(req));
      res.status(200).end();
    })
    .all(noRepresentation, methodNotAllowed('PATCH', 'DELETE'));
  return router;
}

/**
 * RFC 9725 section 4.3.1 asks WHIP clients for If-Match. The WHEP draft does, too, but the client of its author sends
 * none, and with one ICE session for life there is nothing that could be mixed up.
 */
function requireIceSession({ protocol, entityTag }: IngestSession, header: string | undefined): void {
  const verdict = ifMatch(header, entityTag);
  if (verdict === 'differs') throw new ApiError(412, 'etag_mismatch', 'If-Match names another ICE session than this');
  if (verdict === 'absent' && protocol === 'WHIP') {
    throw new ApiError(428, 'etag_missing', 'Send If-Match with the ETag that the session was answered with');
  }
}

/** libdatachannel cannot give a living DTLS association another ICE session. RFC 9725 section 4.3.1: 422. */
function noRestart(): ApiError {
  return new ApiError(
    422,
    'ice_restart_unsupported',
    'Other ICE credentials than those of the offer: ICE restarts are not supported, open another session',
  );
}
