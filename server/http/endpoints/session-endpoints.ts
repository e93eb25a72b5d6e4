import {
  sessionDetail,
  sessionList,
  sessionListQuery,
  sessionStopped,
  streamSessionPath,
  streamSessionsPath,
} from '../../../src/wire/management/session.js';
import { defineEndpoints } from './endpoint.js';

export const sessionEndpoints = defineEndpoints({
  list: {
    method: 'get',
    path: '/api/streams/{streamName}/sessions',
    id: 'listStreamSessions',
    tag: 'Oversight',
    summary: 'List the sessions of a stream, newest first',
    description:
      'Open and ended sessions of publishers and viewers, kept for 30 days unless SESSIONS_KEPT_DAYS says otherwise. `next` is the `cursor` of the next page. With `Accept: text/csv` the page is a table, and the header Link names the next page.',
    params: streamSessionsPath,
    query: sessionListQuery,
    response: sessionList,
    csvColumns: [
      'id',
      'streamName',
      'role',
      'protocol',
      'tokenId',
      'address',
      'origin',
      'openedOn',
      'connectedOn',
      'firstMediaOn',
      'lastSeenOn',
      'endedOn',
      'reason',
      'watchedSeconds',
      'broadcastSeconds',
      'reconnects',
      'quality.device',
      'quality.firstPictureSeconds',
      'quality.playedSeconds',
      'quality.freezes',
      'quality.frozenSeconds',
      'quality.height',
      'quality.framesPerSecond',
      'quality.roundTripSeconds',
      'quality.loss',
    ],
    access: 'account',
    permission: 'figures',
  },
  get: {
    method: 'get',
    path: '/api/streams/{streamName}/sessions/{id}',
    id: 'getStreamSession',
    tag: 'Oversight',
    summary: 'Show one session with its timeline',
    params: streamSessionPath,
    response: sessionDetail,
    access: 'account',
    permission: 'figures',
    errors: { 404: ['session_not_found'] },
  },
});

/** Only a running server has sessions to end. */
export const sessionStopEndpoints = defineEndpoints({
  stop: {
    method: 'post',
    path: '/api/streams/{streamName}/sessions/{id}/stop',
    id: 'stopStreamSession',
    tag: 'Streams',
    summary: 'End one session',
    description:
      'A viewer receives `removed_by_owner`, a broadcaster `stopped_by_owner`. Their token still permits another session: to keep them out, disable or refresh it. `stopped` is false if the session had ended already.',
    params: streamSessionPath,
    response: sessionStopped,
    access: 'account',
    permission: 'streams',
    errors: { 404: ['session_not_found'] },
  },
});
