import cors from 'cors';
import { Router, type RequestHandler } from 'express';
import { sharingNetwork } from '../../addresses/fair-places.js';
import { isPlaylist, type Rewind } from '../../recording/hls/rewind.js';
import type { RewindAccess } from '../../recording/hls/rewind-access.js';
import { success } from '../endpoints/endpoint.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { rewindEndpoints } from '../endpoints/rewind-endpoints.js';
import { methodNotAllowed } from '../middleware/not-found.js';
import { callerOf } from '../request/caller.js';
import type { ClientAddress } from '../request/client-address.js';
import { jsonBody } from '../request/json-body.js';
import type { RequestTurn } from '../request/request-turn.js';
import { ApiError, InvalidRequestError } from '../../errors.js';
import { streamIdOf } from '../../streams/stream-id.js';
import type { StreamPlaces } from '../../streams/stream-places.js';
import { parse, parseBody, wildcardPath } from '../request/parse.js';

export interface RewindRoutesOptions {
  readonly rewind: Rewind;
  readonly access: RewindAccess;
  readonly places: StreamPlaces;
  readonly clientAddress: ClientAddress;
  readonly turn: RequestTurn;
}

const PREFLIGHT_MAX_AGE = 86_400;
/** Of files that never change. A player may fetch them again when a viewer goes back once more. */
const SEGMENT_MAX_AGE = 3_600;

/** Going back in a recorded stream. Open to every origin, as the director: no cookie is read. */
export function rewindRoutes({ rewind, access, places, clientAddress, turn }: RewindRoutesOptions): Router {
  const router = Router();
  const anyOrigin = cors({
    methods: ['GET', 'POST'],
    allowedHeaders: ['authorization', 'content-type', 'range'],
    exposedHeaders: ['retry-after'],
    maxAge: PREFLIGHT_MAX_AGE,
  });
  const notStored: RequestHandler = (_req, res, next) => {
    res.set('cache-control', 'no-store');
    next();
  };
  const { address, redirect, file } = rewindEndpoints;
  const streamOf = ({ accountId, streamName }: Readonly<Record<string, string | string[] | undefined>>) =>
    parse(address.params, { accountId, streamName: wildcardPath(streamName) });

  /** A server that does not find the recording of a live stream sends the client to the server that has the stream. */
  const elsewhere = (error: unknown, { accountId, streamName }: { accountId: string; streamName: string }): string => {
    const origin = places.elsewhere(streamIdOf(accountId, streamName));
    if (origin === undefined || !(error instanceof ApiError) || error.status !== 404) throw error;
    return origin;
  };

  // A stream name may contain slashes.
  router
    .route('/api/hls/:accountId/*streamName')
    .all(anyOrigin, notStored)
    .post(jsonBody(address.bodyTypes), async (req, res) => {
      await turn(req);
      const { token: bodyToken, sourceId } = parseBody(address.body, req);
      const caller = callerOf(req, clientAddress);
      if (caller.token !== undefined && bodyToken !== undefined) {
        throw new InvalidRequestError({ token: ['must not be sent in the Authorization header too'] });
      }
      const stream = streamOf(req.params);
      const attempt = { ...caller, token: caller.token ?? bodyToken, ...stream };
      try {
        res.json(success(await access.admit(attempt, sourceId)));
      } catch (error) {
        res.redirect(307, `${elsewhere(error, stream)}${req.originalUrl}`);
      }
    })
    .get(async (req, res) => {
      await turn(req);
      const { sourceId, from } = parse(redirect.query, req.query);
      const stream = streamOf(req.params);
      const attempt = { ...callerOf(req, clientAddress), ...stream };
      try {
        const { path } = await access.admit(attempt, sourceId);
        res.redirect(307, from === 'live' ? path.replace(/playlist\.m3u8$/, 'live.m3u8') : path);
      } catch (error) {
        res.redirect(307, `${elsewhere(error, stream)}${req.originalUrl}`);
      }
    })
    .all(methodNotAllowed('GET', 'POST'));

  const files = {
    file: [
      anyOrigin,
      notStored,
      async (req, res) => {
        await turn(req);
        const { recordingId, pass, file: name } = parse(file.params, req.params);
        const { origin } = req.headers;
        const context = { origin: origin ?? null, address: clientAddress(req) };
        let recording = await access.open(recordingId, pass, context);
        if (isPlaylist(name)) {
          if (await rewind.waitForFirstSegments(recording, name)) {
            recording = await access.open(recordingId, pass, context);
          }
          res.type('application/vnd.apple.mpegurl; charset=utf-8').send(await rewind.playlist(recording, name));
          return;
        }
        const address = rewind.cdnAddress(recording, name);
        if (address !== undefined) {
          res.redirect(307, address);
          return;
        }
        const caller = { network: sharingNetwork(context.address), isGone: () => req.socket.destroyed };
        const { type, body } = await rewind.file(recording, name, caller);
        res.set('cache-control', `private, max-age=${SEGMENT_MAX_AGE}, immutable`).type(type).send(body);
      },
    ] satisfies RequestHandler[],
  };
  router.use(endpointRouter({ file }, files, { preflight: anyOrigin }));
  return router;
}
