import * as z from 'zod/mini';
import { rewindBody, rewindRequest } from '../../../src/wire/rewind.js';
import { accountId, sourceId, streamName } from '../../../src/wire/text.js';
import { ADMISSION_CODES, defineEndpoints, successOf } from './endpoint.js';

const streamPath = z.object({ accountId, streamName });

const addressed = {
  path: '/api/hls/{accountId}/{streamName}',
  tag: 'Director',
  params: streamPath,
  access: 'token',
  errors: {
    ...ADMISSION_CODES,
    400: ['stream_not_live'],
    403: ['session_required'],
    404: ['rewind_unavailable'],
    409: ['token_full', 'account_full', 'rewind_codec_unsupported'],
    503: ['database_unavailable'],
  },
} as const;

const RULES =
  'The rules of viewers decide, about this call and about each file. While the stream is live, it is the recording of it; afterwards, the latest. A token with `maxSessions` needs an open session: its websocket has the command `rewind`.';

const recordingId = z.string().check(z.regex(/^[\w-]{22}$/));
const segmentFile = z.string().check(z.regex(/^[\w-]{1,64}-(?:0|[1-9]\d{0,8})\.(?:mp4|m4s)$/));
const SEGMENT_TYPES = ['video/mp4', 'video/iso.segment'] as const;

/** Going back in a stream that is recorded, with HLS. */
export const rewindEndpoints = defineEndpoints({
  address: {
    ...addressed,
    method: 'post',
    id: 'createRewindAddress',
    summary: 'Get an address to watch a stream from its beginning',
    description: `${RULES} The address works for at most 4 hours.`,
    bodyTypes: ['text/plain'],
    body: rewindRequest,
    response: successOf(rewindBody),
  },
  redirect: {
    ...addressed,
    method: 'get',
    id: 'watchFromBeginning',
    summary: 'Watch a stream from its beginning with a player for HLS',
    description: `Redirects to the playlist; with \`from=live\`, to \`live.m3u8\`. ${RULES}`,
    query: z.object({
      sourceId: z.optional(sourceId),
      from: z._default(z.enum(['beginning', 'live']), 'beginning'),
    }),
  },
  file: {
    method: 'get',
    path: '/api/rewind/{recordingId}/{pass}/{file}',
    id: 'getRewindFile',
    tag: 'Director',
    summary: 'The playlist of a recording, and its segments',
    description:
      'The addresses are in the answer of `POST /api/hls/…`, and in the playlist. `complete.m3u8` is the playlist as if the recording ended now, for players that cannot seek in one that grows. `live.m3u8` lists the last half minute, for those who watch live. With `HLS_CDN_URL`, a segment is answered with a redirect (307) to its address at the CDN, and `live.m3u8` names it there.',
    params: z.object({
      recordingId,
      pass: z.string().check(z.regex(/^[\w.-]{1,4096}$/)),
      file: z.union([z.string().check(z.regex(/^(?:playlist|complete|live)\.m3u8$/)), segmentFile]),
    }),
    fileTypes: ['application/vnd.apple.mpegurl', ...SEGMENT_TYPES],
    access: 'open',
    errors: {
      403: [...ADMISSION_CODES[401], 'token_full', 'session_required', 'displaced', 'grant_invalid', 'grant_expired'],
      404: ['rewind_unavailable', 'segment_not_found'],
      503: ['database_unavailable'],
    },
  },
});

/** Files of recordings for CDNs. */
export const segmentEndpoints = defineEndpoints({
  segment: {
    method: 'get',
    path: '/api/segments/{recordingId}/{period}/{key}/{file}',
    id: 'getSegment',
    tag: 'Director',
    summary: 'A segment of a recording, the same for all viewers',
    description:
      'For CDNs. `getRewindFile` gives the addresses, if `HLS_CDN_URL` is set. No rule decides: everybody who has an address can fetch the file until the key in it expires, after at most 5 minutes. Ranges of bytes are answered.',
    params: z.object({
      recordingId,
      period: z.string().check(z.regex(/^\d{1,9}$/)),
      key: z.string().check(z.regex(/^[\w-]{22}$/)),
      file: segmentFile,
    }),
    fileTypes: SEGMENT_TYPES,
    access: 'open',
    errors: {
      403: ['grant_invalid', 'grant_expired'],
      404: ['rewind_unavailable', 'segment_not_found'],
      416: ['range_unsatisfiable'],
      503: ['database_unavailable'],
    },
  },
});
