import { liveStreamList, streamStillPath, streamStillQuery } from '../../../src/wire/management/live-stream.js';
import { defineEndpoints } from './endpoint.js';
import { STILL_CODES, STILL_TYPES } from './still-endpoints.js';

/** Only a running server has live streams. */
export const liveEndpoints = defineEndpoints({
  list: {
    method: 'get',
    path: '/api/live',
    id: 'listLiveStreams',
    tag: 'Streams',
    summary: 'List the streams that are live now',
    description:
      'By name: since when, the viewers now and over the last day, and each source with its tracks and encodings. A point of `viewersOverTime` holds until the next one.',
    response: liveStreamList,
    access: 'account',
    permission: 'figures',
  },
  still: {
    method: 'get',
    path: '/api/streams/{streamName}/still',
    id: 'getStill',
    tag: 'Streams',
    summary: 'A picture of a live stream',
    description:
      'At most five seconds old, of the smallest encoding. It takes no place of a viewer. Of VP8 it is a WebP image; of other codecs an MP4 file with one frame, which browsers show in a `<video>`; with `format=jpeg` a JPEG image, if the server has ffmpeg. A new picture has the broadcaster make a keyframe, so ask no more often than you show one.',
    params: streamStillPath,
    query: streamStillQuery,
    fileTypes: STILL_TYPES,
    access: 'account',
    permission: 'read',
    errors: { ...STILL_CODES, 503: ['engine_unavailable'] },
  },
});
