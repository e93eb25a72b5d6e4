import cors from 'cors';
import type { Router } from 'express';
import { sharingNetwork } from '../../addresses/fair-places.js';
import type { SegmentKeys } from '../../admission/segment-keys.js';
import { ApiError } from '../../errors.js';
import type { Rewind } from '../../recording/hls/rewind.js';
import { endpointRouter } from '../endpoints/endpoint-router.js';
import { segmentEndpoints } from '../endpoints/rewind-endpoints.js';
import { fileAnswer } from '../request/byte-range.js';
import type { ClientAddress } from '../request/client-address.js';
import { parse } from '../request/parse.js';

export interface SegmentRoutesOptions {
  readonly rewind: Rewind;
  readonly keys: Pick<SegmentKeys, 'check'>;
  readonly clientAddress: ClientAddress;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Files of recordings for CDNs: the same address and the same answer for every viewer. The key in the address decides;
 * no header of the request does, except `Range`.
 */
export function segmentRoutes({ rewind, keys, clientAddress, now }: SegmentRoutesOptions): Router {
  // Without `Vary`: one copy serves every origin.
  const anyOrigin = cors({
    methods: ['GET'],
    allowedHeaders: ['range'],
    exposedHeaders: ['content-range'],
    maxAge: 86_400,
  });
  return endpointRouter(
    segmentEndpoints,
    {
      segment: [
        async (req, res) => {
          const { recordingId, period, key, file } = parse(segmentEndpoints.segment.params, req.params);
          const check = keys.check({ recordingId, period: Number(period), file }, key, now());
          if (!check.ok) throw new ApiError(403, check.code, 'This address of the recording is not valid any more');
          const recording = await rewind.recording(recordingId);
          const caller = { network: sharingNetwork(clientAddress(req)), isGone: () => req.socket.destroyed };
          const { type, body } = await rewind.file(recording, file, caller);
          const { status, headers, range } = fileAnswer(req, body.length);
          // No longer than the key is valid: a CDN answers without asking this server.
          const maxAge = Math.floor((check.expiresAt - now()) / 1_000);
          res.status(status).set({
            ...headers,
            'cache-control': `public, max-age=${maxAge}, immutable`,
            'cross-origin-resource-policy': 'cross-origin',
            'x-content-type-options': 'nosniff',
          });
          res.type(type).send(body.subarray(range.from, range.to + 1));
        },
      ],
    },
    { preflight: anyOrigin, before: [anyOrigin] },
  );
}
