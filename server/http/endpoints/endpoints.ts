import * as z from 'zod/mini';
import { auditList, auditListQuery } from '../../../src/wire/management/audit.js';
import { dashboardLogin, dashboardSession } from '../../../src/wire/management/dashboard-session.js';
import { explainAnswer, explainRequest } from '../../../src/wire/management/explain.js';
import { publishAuthRequest, subscribeAuthRequest } from '../../../src/wire/director/director-request.js';
import { health } from '../../../src/wire/management/health.js';
import { refusalList, refusalListQuery } from '../../../src/wire/management/refusal.js';
import { streamGrant } from '../../../src/wire/director/stream-grant.js';
import { streamStop, streamStopped } from '../../../src/wire/management/stream-stop.js';
import { DATABASE_CODES, ADMISSION_CODES } from './error-codes.js';
import { ingestEndpoints } from './ingest-endpoints.js';
import type { Endpoint } from './endpoint.js';
import { tokenEndpoints } from './token-endpoints.js';

const success = <Data extends z.ZodMiniType>(data: Data) => z.object({ status: z.literal('success'), data });

const WITHOUT_PREFLIGHT =
  'Sent as `text/plain`, with the token in `token` and not in a header, it needs no preflight from a page of another origin.';

/** Every call there is, in the order in which the document shows them. */
export const endpoints: readonly Endpoint[] = [
  ...tokenEndpoints,
  {
    method: 'post',
    path: '/api/stream/stop',
    id: 'stopStream',
    tag: 'Streams',
    summary: 'End one broadcast',
    description: 'The broadcaster is told `stopped_by_owner`. Disable its token first, or it may begin again.',
    body: streamStop,
    answer: streamStopped,
    access: 'account',
    codes: { 404: ['stream_not_found'] },
  },
  {
    method: 'post',
    path: '/api/stream/stop/all',
    id: 'stopAllStreams',
    tag: 'Streams',
    summary: 'End every broadcast of the account',
    answer: streamStopped,
    access: 'account',
  },
  {
    method: 'post',
    path: '/api/explain',
    id: 'explain',
    tag: 'Oversight',
    summary: 'What the door would say to somebody now, rule by rule',
    description: 'Takes no place of a token that binds addresses, and leaves nothing in the refusals.',
    body: explainRequest,
    answer: explainAnswer,
    access: 'account',
    codes: { 404: ['token_not_found'] },
  },
  {
    method: 'get',
    path: '/api/refusals',
    id: 'listRefusals',
    tag: 'Oversight',
    summary: 'Who was turned away and why, the newest first',
    description: 'The newest 10,000 of the account, 30 days long.',
    query: refusalListQuery,
    answer: refusalList,
    access: 'account',
  },
  {
    method: 'get',
    path: '/api/audit',
    id: 'listAudit',
    tag: 'Oversight',
    summary: 'Who changed what, the newest first',
    description: 'Kept for 400 days. No entry has a secret value.',
    query: auditListQuery,
    answer: auditList,
    access: 'account',
  },
  {
    method: 'post',
    path: '/api/director/publish',
    id: 'authorizePublisher',
    tag: 'Director',
    summary: 'May I publish this stream?',
    description: `A yes is a grant that opens one websocket within a minute. ${WITHOUT_PREFLIGHT}`,
    body: publishAuthRequest,
    bodyTypes: ['text/plain'],
    answer: streamGrant,
    access: 'token',
    codes: { ...ADMISSION_CODES, 409: ['stream_in_use'] },
  },
  {
    method: 'post',
    path: '/api/director/subscribe',
    id: 'authorizeViewer',
    tag: 'Director',
    summary: 'May I watch this stream?',
    description: `A yes is a grant that opens one websocket within a minute. Only some streams ask viewers for a token. With \`view\`, the data of the websocket’s command, the session begins at once; its websocket has 15 seconds to come, and shows the grant in its address or with the command \`attach\`. ${WITHOUT_PREFLIGHT}`,
    body: subscribeAuthRequest,
    bodyTypes: ['text/plain'],
    answer: streamGrant,
    access: 'token',
    codes: {
      ...ADMISSION_CODES,
      400: ['stream_not_live', 'invalid_sdp', 'no_common_codec'],
      503: ['engine_unavailable'],
    },
  },
  ...ingestEndpoints,
  {
    method: 'post',
    path: '/api/dashboard/login',
    id: 'login',
    tag: 'Dashboard',
    summary: 'Trade the code of a login link for the dashboard cookie',
    body: dashboardLogin,
    answer: success(dashboardSession),
    access: 'open',
    codes: {
      401: ['login_code_wrong'],
      403: ['cross_site_refused'],
      429: ['too_many_attempts'],
      ...DATABASE_CODES,
    },
  },
  {
    method: 'get',
    path: '/api/dashboard/session',
    id: 'getSession',
    tag: 'Dashboard',
    summary: 'Who the dashboard cookie stands for',
    answer: success(dashboardSession),
    access: 'open',
    codes: { 401: ['login_required'], 429: ['too_many_attempts'], 503: ['database_unavailable'] },
  },
  {
    method: 'post',
    path: '/api/dashboard/logout',
    id: 'logout',
    tag: 'Dashboard',
    summary: 'End the dashboard login',
    answer: success(z.literal(true)),
    access: 'open',
    codes: { 403: ['cross_site_refused'], 429: ['too_many_attempts'], ...DATABASE_CODES },
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'Server',
    summary: 'Whether viewers can be let in, and what else is wrong',
    description:
      'A full disk is a problem of a server that is up. Broadcasts under way go on while it is not: do not restart it for that.',
    answer: success(health),
    access: 'open',
    codes: { 503: ['database_unavailable'] },
  },
];
