import * as z from 'zod/mini';
import { sourceId, streamName } from '../../../src/wire/identifiers.js';
import { plainText, text } from '../../../src/wire/text.js';
import { ADMISSION_CODES } from './error-codes.js';
import type { Endpoint } from './endpoint.js';

/** The bodies are not ours to describe: RFC 8866, RFC 8840 and the HTML standard do. */
const anyText = z.string();
const tag = 'WHIP and WHEP';
const SDP = 'application/sdp';

const ofSource = z.optional(sourceId);
const session = z.object({ key: text });
const ENDED = { 404: ['session_not_found'] };
const OFFER_CODES = {
  400: ['invalid_request', 'invalid_sdp', 'no_common_codec'],
  406: ['not_acceptable'],
  413: ['body_too_large'],
  415: ['not_sdp'],
  503: ['engine_unavailable'],
};

const created = { bodyType: SDP, body: anyText, status: 201, answerType: SDP, answer: anyText } as const;
const plain = { tag, plainRefusals: true } as const;

/** WHIP (RFC 9725), WHEP (draft-ietf-wish-whep) and what their clients do with a session. */
export const ingestEndpoints: readonly Endpoint[] = [
  {
    ...plain,
    ...created,
    method: 'post',
    path: '/api/whip/{streamName}',
    id: 'publishByWhip',
    summary: 'Go live with any WHIP encoder',
    description:
      'The body is an SDP offer. Answers with the session’s URL in `Location`, its `ETag`, and STUN and TURN servers in `Link`.',
    params: z.object({ streamName }),
    query: z.object({ codec: z.optional(z.enum(['h264', 'vp8', 'vp9', 'av1'])), sourceId: ofSource }),
    access: 'token',
    codes: { ...ADMISSION_CODES, ...OFFER_CODES, 409: ['stream_in_use'] },
  },
  {
    ...plain,
    ...created,
    method: 'post',
    path: '/api/whep/{accountId}/{streamName}',
    id: 'viewByWhep',
    summary: 'Watch with any WHEP player',
    description:
      'The body is an SDP offer. Answers as WHIP does; `Link` also names the two extensions, server-sent events and layer selection. Only some streams ask viewers for a token, and only viewers with one may wait for a stream to begin.',
    params: z.object({ accountId: plainText, streamName }),
    query: z.object({ sourceId: ofSource }),
    access: 'token',
    codes: { ...ADMISSION_CODES, ...OFFER_CODES, 409: ['stream_not_live'] },
  },
  {
    ...plain,
    method: 'patch',
    path: '/api/sessions/{key}',
    id: 'trickleCandidates',
    summary: 'Say what ICE candidates were found since the offer',
    params: session,
    headers: z.object({ 'If-Match': z.optional(z.string()) }),
    bodyType: 'application/trickle-ice-sdpfrag',
    body: anyText,
    status: 204,
    access: 'open',
    codes: {
      ...ENDED,
      400: ['invalid_sdp_fragment'],
      412: ['etag_mismatch'],
      413: ['body_too_large'],
      415: ['not_sdp'],
      422: ['ice_restart_unsupported'],
      428: ['etag_missing'],
    },
  },
  {
    ...plain,
    method: 'delete',
    path: '/api/sessions/{key}',
    id: 'endSession',
    summary: 'End the session',
    params: session,
    access: 'open',
    codes: ENDED,
  },
  {
    ...plain,
    method: 'post',
    path: '/api/sessions/{key}/events',
    id: 'openEventStream',
    summary: 'Make a stream of events of a viewer’s session',
    description: 'The body is a list of the events to be told, or nothing for all. `Location` is the stream.',
    params: session,
    body: z.optional(z.array(text)),
    status: 201,
    access: 'open',
    codes: { ...ENDED, 429: ['too_many_event_streams'] },
  },
  {
    ...plain,
    method: 'get',
    path: '/api/sessions/{key}/events/{id}',
    id: 'readEventStream',
    summary: 'Be told what happens: server-sent events',
    params: z.object({ key: text, id: text }),
    answerType: 'text/event-stream',
    answer: anyText,
    access: 'open',
    codes: ENDED,
  },
  {
    ...plain,
    method: 'delete',
    path: '/api/sessions/{key}/events/{id}',
    id: 'closeEventStream',
    summary: 'End a stream of events',
    params: z.object({ key: text, id: text }),
    access: 'open',
    codes: ENDED,
  },
  {
    ...plain,
    method: 'post',
    path: '/api/sessions/{key}/layer',
    id: 'selectLayer',
    summary: 'Choose a layer of the video',
    params: session,
    body: z.object({
      encodingId: z.optional(text),
      rid: z.optional(text),
      spatialLayerId: z.optional(z.int()),
      temporalLayerId: z.optional(z.int()),
      maxSpatialLayerId: z.optional(z.int()),
      maxTemporalLayerId: z.optional(z.int()),
      maxWidth: z.optional(z.int()),
      maxHeight: z.optional(z.int()),
    }),
    access: 'open',
    codes: ENDED,
  },
  {
    ...plain,
    method: 'delete',
    path: '/api/sessions/{key}/layer',
    id: 'selectLayerAutomatically',
    summary: 'Leave the layer to the server again',
    params: session,
    access: 'open',
    codes: ENDED,
  },
];
