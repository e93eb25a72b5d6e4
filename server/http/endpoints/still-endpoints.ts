import * as z from 'zod/mini';
import { streamStillQuery } from '../../../src/wire/management/live-stream.js';
import { accountId, streamName } from '../../../src/wire/text.js';
import { ADMISSION_CODES, defineEndpoints } from './endpoint.js';

export const STILL_TYPES = ['image/webp', 'video/mp4', 'image/jpeg'] as const;
/** Of every call that gives a picture. */
export const STILL_CODES = { 404: ['still_unavailable'], 501: ['jpeg_unavailable'] } as const;

/** Pictures for those who may watch. */
export const stillEndpoints = defineEndpoints({
  still: {
    method: 'get',
    path: '/api/still/{accountId}/{streamName}',
    id: 'getPoster',
    tag: 'Director',
    summary: 'A picture of a live stream, for those who may watch it',
    description:
      'For posters and previews. The rules of viewers decide; the picture takes no place under `maxSessions`. It is at most 12 seconds old, and otherwise as that of `GET /api/streams/{streamName}/still`.',
    params: z.object({ accountId, streamName }),
    // Pages may add something, so that a browser asks again.
    query: z.object(streamStillQuery.shape),
    fileTypes: STILL_TYPES,
    access: 'token',
    errors: {
      ...ADMISSION_CODES,
      ...STILL_CODES,
      400: ['stream_not_live'],
      409: ['token_full', 'account_full'],
      503: ['database_unavailable', 'engine_unavailable'],
    },
  },
});
