import cors from 'cors';
import { Router } from 'express';
import type { Admission } from '../../admission/admission.js';
import { AccessDeniedError } from '../../errors.js';
import { streamIdOf } from '../../streams/stream-id.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import { stillEndpoints } from '../endpoints/still-endpoints.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { callerOf } from '../request/caller.js';
import type { ClientAddress } from '../request/client-address.js';
import type { RequestTurn } from '../request/request-turn.js';
import { parse, wildcardPath } from '../request/parse.js';
import { readStill, stillUnavailable, type StillReader } from './still-reader.js';

export interface StillRoutesOptions {
  readonly stills: StillReader;
  readonly admission: Pick<Admission, 'admit'>;
  readonly streams: Pick<StreamRegistry, 'firstSourceOf' | 'publisherOf'>;
  readonly clientAddress: ClientAddress;
  readonly turn: RequestTurn;
}

const PREFLIGHT_MAX_AGE = 86_400;
/** How long browsers show a picture again. Anybody may ask, and a new picture costs the broadcaster a keyframe. */
const MAX_AGE_S = 10;

/** `/api/still/ACCOUNT/NAME`: a picture of a live stream, for those who may watch it. Open to every origin, as the director. */
export function stillRoutes({ stills, admission, streams, clientAddress, turn }: StillRoutesOptions): Router {
  const router = Router();
  const { still } = stillEndpoints;
  const anyOrigin = cors({
    methods: ['GET'],
    allowedHeaders: ['authorization'],
    exposedHeaders: ['retry-after'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
  // A stream name may contain slashes.
  router
    .route('/api/still/:accountId/*streamName')
    .all(anyOrigin)
    .get(async (req, res) => {
      await turn(req);
      const path = { accountId: req.params.accountId, streamName: wildcardPath(req.params.streamName) };
      const { accountId, streamName } = parse(still.params, path);
      const { sourceId, format } = parse(still.query, req.query);
      const result = await admission.admit('subscribe', { ...callerOf(req, clientAddress), accountId, streamName });
      if (!result.admitted) throw new AccessDeniedError(result.reason, { retryInMs: result.retryInMs });
      const streamId = streamIdOf(accountId, streamName);
      const wanted = sourceId ?? streams.firstSourceOf(streamId);
      // Somebody may try many names, and the engine is asked about each.
      if (wanted === undefined || !streams.publisherOf(streamId, wanted)?.isLive) throw stillUnavailable(streamName);
      const { type, bytes } = await readStill(stills, {
        streamId,
        streamName,
        sourceId: wanted,
        format,
        maxAgeMs: 1_000 * MAX_AGE_S,
      });
      res.set({
        'cache-control': `private, max-age=${MAX_AGE_S}`,
        'content-type': type,
        'cross-origin-resource-policy': 'cross-origin',
        vary: 'authorization, origin',
        'x-content-type-options': 'nosniff',
      });
      res.send(bytes);
    })
    .all(methodNotAllowed('GET'));
  return router;
}
