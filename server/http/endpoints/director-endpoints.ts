import { checkRequest, publishAuthRequest, subscribeAuthRequest } from '../../../src/wire/director/director-request.js';
import { broadcastTerms, streamGrant } from '../../../src/wire/director/stream-grant.js';
import { ADMISSION_CODES, defineEndpoints } from './endpoint.js';

const WITHOUT_PREFLIGHT =
  'Sent as `text/plain`, with the token in `token` and not in a header, the request needs no preflight from a page of another origin.';

const common = { method: 'post', tag: 'Director', bodyTypes: ['text/plain'], access: 'token' } as const;

export const directorEndpoints = defineEndpoints({
  publish: {
    ...common,
    path: '/api/director/publish',
    id: 'authorizePublisher',
    summary: 'Authorize a publisher',
    description: `Success is a grant, which opens one websocket within a minute. ${WITHOUT_PREFLIGHT}`,
    body: publishAuthRequest,
    response: streamGrant,
    errors: { ...ADMISSION_CODES, 409: ['stream_in_use', 'account_full'] },
  },
  check: {
    ...common,
    path: '/api/director/check',
    id: 'checkPublisher',
    summary: 'What applies to a broadcast, before it begins',
    description: `For pages that say before the start whether the broadcast is recorded, and who can watch it. The rules of publishers decide, but for \`stream_in_use\` and \`account_full\`. Nothing begins, no address is bound, and a refusal is not logged. ${WITHOUT_PREFLIGHT}`,
    body: checkRequest,
    response: broadcastTerms,
    errors: ADMISSION_CODES,
  },
  subscribe: {
    ...common,
    path: '/api/director/subscribe',
    id: 'authorizeViewer',
    summary: 'Authorize a viewer',
    description: `Success is a grant, which opens one websocket within a minute. Only some streams require a token of viewers. With \`view\`, the data of the websocket command, the session starts at once; the websocket must then open within 15 seconds, with the grant in its URL or with the command \`attach\`. ${WITHOUT_PREFLIGHT}`,
    body: subscribeAuthRequest,
    response: streamGrant,
    errors: {
      ...ADMISSION_CODES,
      409: ['token_full', 'account_full'],
      400: ['stream_not_live', 'invalid_sdp', 'no_common_codec', 'bundle_required'],
      406: ['answer_required'],
      429: ['network_busy'],
      503: ['busy', 'engine_unavailable', 'server_stopping'],
    },
  },
});
