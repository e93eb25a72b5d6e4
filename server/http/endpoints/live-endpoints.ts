import { liveStreamList } from '../../../src/wire/management/live-stream.js';
import { defineEndpoints } from './endpoint.js';

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
});
