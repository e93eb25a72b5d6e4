import { Router, type Request } from 'express';
import { ApiError } from '../errors.js';
import type { RequestTurn } from '../http/request/request-turn.js';
import { methodNotAllowed } from '../http/middleware/not-found.js';
import { allowAnyOrigin, noRepresentation, SDP_FRAGMENT, sdpBody } from './ingest-middleware.js';
import type { IngestSession, IngestSessions } from './ingest-sessions.js';
import { parseSdpFragment, sameIceSession } from './sdp-fragment.js';

/**
 * `/api/sessions/{key}`: PATCH and DELETE for a session of WHIP or WHEP. The URL is the only credential, because the
 * event streams of browsers cannot send a token. Only the client receives the URL, and it is valid until the session
 * ends.
 */
export function sessionRoutes(sessions: IngestSessions, turn: RequestTurn): Router {
  const router = Router();
  const sessionOf = (req: Request): IngestSession => sessions.find(String(req.params['key']));
  router
    .route('/:key')
    .all(allowAnyOrigin({ methods: ['PATCH', 'DELETE'], acceptPatch: SDP_FRAGMENT }))
    .all((req, _res, next) => void (sessionOf(req), next()))
    .patch(sdpBody(SDP_FRAGMENT), async (req, res) => {
      await turn(req);
      const session = sessionOf(req);
      requireIceSession(session, req.get('if-match'));
      // The candidates are not used: media is sent to the address from which the client reaches the server.
      if (!sameIceSession(parseSdpFragment(req.body), session.ice)) throw iceRestartUnsupported();
      res.status(204).end();
    })
    .delete((req, res) => {
      sessions.end(sessionOf(req));
      res.status(200).end();
    })
    .all(noRepresentation, methodNotAllowed('PATCH', 'DELETE'));
  return router;
}

/**
 * RFC 9725 section 4.3.1 requires If-Match from WHIP clients. The WHEP draft does as well, but the client of its author
 * does not send it. A session has only one ICE session, so a WHEP client may leave it out.
 */
function requireIceSession({ protocol, entityTag }: IngestSession, header: string | undefined): void {
  const match = ifMatch(header, entityTag);
  if (match === 'differs') throw new ApiError(412, 'etag_mismatch', 'If-Match names another ICE session than this');
  if (match === 'absent' && protocol === 'WHIP') {
    throw new ApiError(428, 'etag_missing', 'Send If-Match with the ETag that the session was answered with');
  }
}

/** Any number of entity tags, separated by commas (RFC 9110 8.8.3). */
const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** A client knows one tag, or a few. */
const MOST_TAGS = 100;

/**
 * Compares `If-Match` with the strong entity tag of a resource, given without its quotes (RFC 9110 13.1.1). The examples
 * of RFC 9725 have the asterisk in quotes, so `"*"` matches any entity tag as well.
 */
export function ifMatch(header: string | undefined, current: string): 'absent' | 'matches' | 'differs' {
  if (header === undefined) return 'absent';
  if (header.trim() === '*') return 'matches';
  let tags = 0;
  for (const [, weak, tag] of header.matchAll(ENTITY_TAG)) {
    if (!weak && (tag === current || tag === '*')) return 'matches';
    if ((tags += 1) === MOST_TAGS) break;
  }
  return 'differs';
}

/** libdatachannel cannot change the ICE session of a DTLS association. RFC 9725 section 4.3.1: 422. */
function iceRestartUnsupported(): ApiError {
  return new ApiError(
    422,
    'ice_restart_unsupported',
    'The ICE credentials are not those of the offer: ICE restarts are not supported, open another session',
  );
}
