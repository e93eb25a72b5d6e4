import { auditList, auditListQuery } from '../../../src/wire/management/audit.js';
import { explainAnswer, explainRequest } from '../../../src/wire/management/explain.js';
import { refusalGroupList, refusalList, refusalListQuery } from '../../../src/wire/management/refusal.js';
import { streamStop, streamStopped } from '../../../src/wire/management/stream-stop.js';
import { defineEndpoints } from './endpoint.js';

/** Only a running server has streams to stop. */
export const streamEndpoints = defineEndpoints({
  stop: {
    method: 'post',
    path: '/api/stream/stop',
    id: 'stopStream',
    tag: 'Streams',
    summary: 'End one broadcast',
    description:
      'The broadcaster receives `stopped_by_owner`. Disable the token first, or the broadcaster can start again.',
    body: streamStop,
    response: streamStopped,
    access: 'account',
    permission: 'streams',
    errors: { 404: ['stream_not_found'] },
  },
  stopAll: {
    method: 'post',
    path: '/api/stream/stop/all',
    id: 'stopAllStreams',
    tag: 'Streams',
    summary: 'End every broadcast of the account',
    response: streamStopped,
    access: 'account',
    permission: 'streams',
  },
});

export const explainEndpoints = defineEndpoints({
  explain: {
    method: 'post',
    path: '/api/explain',
    id: 'explain',
    tag: 'Oversight',
    summary: 'Show the verdict of each rule for a request',
    description: 'Binds no address to the token, and records no refusal.',
    body: explainRequest,
    response: explainAnswer,
    access: 'account',
    permission: 'read',
    errors: { 404: ['token_not_found'] },
  },
});

export const refusalEndpoints = defineEndpoints({
  list: {
    method: 'get',
    path: '/api/refusals',
    id: 'listRefusals',
    isHeavy: true,
    tag: 'Oversight',
    summary: 'List refused requests and the reasons, newest first',
    description:
      'The newest 10,000 of the account, for 30 days. With `Accept: text/csv` the page is a table, and the header Link names the next page.',
    query: refusalListQuery,
    response: refusalList,
    csvColumns: [
      'id',
      'time',
      'kind',
      'reason',
      'streamName',
      'tokenId',
      'tokenLabel',
      'origin',
      'address',
      'namedAccount',
    ],
    access: 'account',
    permission: 'read',
  },
  groups: {
    method: 'get',
    path: '/api/refusals/groups',
    id: 'listRefusalGroups',
    isHeavy: true,
    tag: 'Oversight',
    summary: 'List refused requests in groups, the largest first',
    description:
      'A group has the same kind, reason, token and origin. With `Accept: text/csv` the page is a table, and the header Link names the next page.',
    query: refusalListQuery,
    response: refusalGroupList,
    csvColumns: ['refusals', 'kind', 'reason', 'tokenId', 'tokenLabel', 'origin', 'firstOn', 'lastOn'],
    access: 'account',
    permission: 'read',
  },
});

export const auditEndpoints = defineEndpoints({
  list: {
    method: 'get',
    path: '/api/audit',
    id: 'listAudit',
    isHeavy: true,
    tag: 'Oversight',
    summary: 'List changes and who made them, newest first',
    description:
      'Kept for 400 days. No entry has a secret value. With `Accept: text/csv` the page is a table, and the header Link names the next page.',
    query: auditListQuery,
    response: auditList,
    csvColumns: [
      'id',
      'time',
      'actor.by',
      'actor.id',
      'actor.name',
      'action',
      'target.kind',
      'target.id',
      'target.name',
      'before',
      'after',
    ],
    access: 'account',
    permission: 'read',
  },
});
