import * as z from 'zod/mini';
import { accountId, sourceId, streamName, text } from '../../../src/wire/text.js';
import { layerChoice } from '../../../src/wire/websocket/layer-choice.js';
import { ADMISSION_CODES, defineEndpoints } from './endpoint.js';

const SDP = 'application/sdp';

/** Bodies in formats of others: SDP (RFC 8866), SDP fragments (RFC 8840) and server-sent events (HTML standard). */
const anyText = z.string();

// Unknown query parameters are ignored, because encoders made for other services send some.
const sourceQuery = z.object({ sourceId: z.optional(sourceId) });
const whipQuery = z.extend(sourceQuery, {
  /** Absent: the server chooses among the offered codecs. */
  codec: z.optional(
    z.pipe(
      text,
      z.pipe(
        z.transform((name: string) => name.toLowerCase()),
        z.enum(['h264', 'vp8', 'vp9', 'av1']),
      ),
    ),
  ),
});

/** Names of the events to send. No body: all of them. */
const eventNames = z.union([z.array(text.check(z.maxLength(64))).check(z.maxLength(32)), z.strictObject({})]);

const sessionParams = z.object({ key: text });
const eventStreamParams = z.object({ key: text, id: text });

const ENDED = { 404: ['session_not_found'] };
const OFFER_CODES = {
  400: ['invalid_request', 'invalid_sdp', 'no_common_codec', 'bundle_required'],
  406: ['not_acceptable', 'answer_required'],
  413: ['body_too_large'],
  415: ['not_sdp'],
  429: ['network_busy'],
  501: ['engine_unsupported'],
  503: ['busy', 'engine_unavailable', 'server_stopping'],
};

const common = { tag: 'WHIP and WHEP', plainRefusals: true } as const;
const offer = {
  ...common,
  method: 'post',
  bodyType: SDP,
  body: anyText,
  status: 201,
  responseType: SDP,
  response: anyText,
  access: 'token',
} as const;

/** WHIP (RFC 9725), WHEP (draft-ietf-wish-whep), and the calls on their sessions. */
export const ingestEndpoints = defineEndpoints({
  whip: {
    ...offer,
    path: '/api/whip/{streamName}',
    id: 'publishByWhip',
    summary: 'Publish with a WHIP encoder',
    description:
      'The body is an SDP offer. The response has the URL of the session in `Location`, its `ETag`, and STUN and TURN servers in `Link`.',
    params: z.object({ streamName }),
    query: whipQuery,
    errors: {
      ...ADMISSION_CODES,
      ...OFFER_CODES,
      400: [...OFFER_CODES[400], 'too_many_tracks'],
      409: ['stream_in_use', 'account_full'],
    },
  },
  whep: {
    ...offer,
    path: '/api/whep/{accountId}/{streamName}',
    id: 'viewByWhep',
    summary: 'Watch with a WHEP player',
    description:
      'The body is an SDP offer. The response is as for WHIP; `Link` also names the two extensions, server-sent events and layer selection. Only some streams require a token of viewers, and only viewers with a token may wait for a stream to start.',
    params: z.object({ accountId, streamName }),
    query: sourceQuery,
    errors: { ...ADMISSION_CODES, ...OFFER_CODES, 409: ['stream_not_live', 'token_full', 'account_full'] },
  },
  trickle: {
    ...common,
    method: 'patch',
    path: '/api/sessions/{key}',
    id: 'trickleCandidates',
    summary: 'Send the ICE candidates found since the offer',
    params: sessionParams,
    headers: z.object({ 'If-Match': z.optional(z.string()) }),
    bodyType: 'application/trickle-ice-sdpfrag',
    body: anyText,
    status: 204,
    access: 'open',
    errors: {
      ...ENDED,
      400: ['invalid_sdp_fragment'],
      412: ['etag_mismatch'],
      413: ['body_too_large'],
      415: ['not_sdp'],
      422: ['ice_restart_unsupported'],
      428: ['etag_missing'],
    },
  },
  end: {
    ...common,
    method: 'delete',
    path: '/api/sessions/{key}',
    id: 'endSession',
    summary: 'End the session',
    params: sessionParams,
    access: 'open',
    errors: ENDED,
  },
  openEvents: {
    ...common,
    method: 'post',
    path: '/api/sessions/{key}/events',
    id: 'openEventStream',
    summary: 'Open an event stream of a viewer’s session',
    description: 'The body is a list of event names, or nothing for all events. `Location` is the event stream.',
    params: sessionParams,
    body: z.optional(eventNames),
    status: 201,
    access: 'open',
    errors: { ...ENDED, 429: ['too_many_event_streams'] },
  },
  readEvents: {
    ...common,
    method: 'get',
    path: '/api/sessions/{key}/events/{id}',
    id: 'readEventStream',
    summary: 'Receive the events as server-sent events',
    params: eventStreamParams,
    responseType: 'text/event-stream',
    response: anyText,
    access: 'open',
    errors: ENDED,
  },
  closeEvents: {
    ...common,
    method: 'delete',
    path: '/api/sessions/{key}/events/{id}',
    id: 'closeEventStream',
    summary: 'Close an event stream',
    params: eventStreamParams,
    access: 'open',
    errors: ENDED,
  },
  selectLayer: {
    ...common,
    method: 'post',
    path: '/api/sessions/{key}/layer',
    id: 'selectLayer',
    summary: 'Select a layer of the video',
    params: sessionParams,
    body: layerChoice,
    access: 'open',
    errors: ENDED,
  },
  selectLayerAutomatically: {
    ...common,
    method: 'delete',
    path: '/api/sessions/{key}/layer',
    id: 'selectLayerAutomatically',
    summary: 'Let the server select the layer',
    params: sessionParams,
    access: 'open',
    errors: ENDED,
  },
});
