import * as z from 'zod/mini';
import { rewindBody, rewindRequest } from '../../../src/wire/rewind.js';
import { plainText, sourceId, streamName } from '../../../src/wire/text.js';
import { ADMISSION_CODES, defineEndpoints, successOf } from './endpoint.js';

const streamPath = z.object({ accountId: plainText.check(z.minLength(1), z.maxLength(128)), streamName });

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
    409: ['token_full', 'rewind_codec_unsupported'],
    503: ['database_unavailable'],
  },
} as const;

const RULES =
  'The rules of viewers decide, about this call and about each file. While the stream is live, it is the recording of it; afterwards, the latest. A token with `maxSessions` needs an open session: its websocket has the command `rewind`.';

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
    description: `Redirects to the playlist. ${RULES}`,
    query: z.object({ sourceId: z.optional(sourceId) }),
  },
  file: {
    method: 'get',
    path: '/api/rewind/{recordingId}/{pass}/{file}',
    id: 'getRewindFile',
    tag: 'Director',
    summary: 'The playlist of a recording, and its segments',
    description:
      'The addresses are in the answer of `POST /api/hls/…`, and in the playlist. `complete.m3u8` is the playlist as if the recording ended now, for players that cannot seek in one that grows.',
    params: z.object({
      recordingId: z.string().check(z.regex(/^[\w-]{22}$/)),
      pass: z.string().check(z.regex(/^[\w.-]{1,4096}$/)),
      file: z.string().check(z.regex(/^(?:(?:playlist|complete)\.m3u8|[\w-]{1,64}-\d{1,9}\.(?:mp4|m4s))$/)),
    }),
    fileTypes: ['application/vnd.apple.mpegurl', 'video/mp4', 'video/iso.segment'],
    access: 'open',
    errors: {
      403: [...ADMISSION_CODES[401], 'token_full', 'session_required', 'grant_invalid', 'grant_expired'],
      404: ['rewind_unavailable', 'segment_not_found'],
      503: ['database_unavailable'],
    },
  },
});
