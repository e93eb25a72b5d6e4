import type { UpstreamSoftware } from '../../src/wire/management/upstream.js';
import type { OfferAnswer } from '../../server/upstream/upstream-answer.js';
import type { StatusAnswer } from '../../server/upstream/live-state.js';

/** What the documents and sources of the software say that it answers. Ids and secrets are invented. */
export interface Exchanges {
  readonly publishUrl: string;
  readonly viewUrl: string;
  readonly published: OfferAnswer;
  readonly viewed: OfferAnswer;
  /** Of a viewer, before anybody publishes. */
  readonly notLive: OfferAnswer;
  /** Where the sessions of `published` and `viewed` are ended. */
  readonly sessions: readonly [publish: string, view: string];
  readonly unauthorized: OfferAnswer;
  readonly live: StatusAnswer;
  readonly offline: StatusAnswer;
}

export const ANSWER = 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n';

const created = (location: string, headers: OfferAnswer['headers'] = {}): OfferAnswer => ({
  status: 201,
  headers: { 'content-type': 'application/sdp', location, ...headers },
  body: ANSWER,
});
const json = (status: number, body: object): StatusAnswer & OfferAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const CLOUDFLARE = 'https://customer-abc123.cloudflarestream.com';
const CLOUDFLARE_INPUT = 'b236bde30eb07b9d01318940e5fc3eda';

export const EXCHANGES: Readonly<Record<UpstreamSoftware, Exchanges>> = {
  // onWHIPPost and sessionLocation of its server of WebRTC; `Path` of its OpenAPI document.
  mediamtx: {
    publishUrl: 'http://mtx.example:8889/main/show/whip',
    viewUrl: 'http://mtx.example:8889/main/show/whep',
    published: created('/main/show/whip/0b1f0e2c-7a5e-4d0c-9a53-5e1f9f1c0001', {
      etag: '*',
      id: '5c6a3d3e-0000-4d0c-9a53-5e1f9f1c0001',
      'accept-patch': 'application/trickle-ice-sdpfrag',
    }),
    viewed: created('/main/show/whep/0b1f0e2c-7a5e-4d0c-9a53-5e1f9f1c0002', { etag: '*' }),
    notLive: json(404, { error: "no one is publishing to path 'main/show'" }),
    sessions: [
      'http://mtx.example:8889/main/show/whip/0b1f0e2c-7a5e-4d0c-9a53-5e1f9f1c0001',
      'http://mtx.example:8889/main/show/whep/0b1f0e2c-7a5e-4d0c-9a53-5e1f9f1c0002',
    ],
    unauthorized: json(401, { error: 'authentication error' }),
    live: json(200, {
      name: 'main/show',
      confName: 'all_others',
      source: { type: 'webRTCSession', id: '5c6a3d3e-0000-4d0c-9a53-5e1f9f1c0001' },
      ready: true,
      readyTime: '2026-11-01T10:00:00Z',
      tracks: ['VP8', 'Opus'],
      bytesReceived: 120_000,
      bytesSent: 0,
      readers: [],
    }),
    offline: json(404, { error: 'path not found' }),
  },
  // Its HTTP API has WHIP, WHEP and the list of streams on one port.
  srs: {
    publishUrl: 'http://srs.example:1985/rtc/v1/whip/?app=live&stream=show',
    viewUrl: 'http://srs.example:1985/rtc/v1/whep/?app=live&stream=show',
    published: created('/rtc/v1/whip/?action=delete&token=4m19k3x4v&app=live&stream=show&session=z5f23a8j%3Aki12'),
    viewed: created('/rtc/v1/whip/?action=delete&token=8cc2p0s1l&app=live&stream=show&session=a1b2c3d4%3Aef56'),
    notLive: { status: 404, headers: {}, body: 'Not Found' },
    sessions: [
      'http://srs.example:1985/rtc/v1/whip/?action=delete&token=4m19k3x4v&app=live&stream=show&session=z5f23a8j%3Aki12',
      'http://srs.example:1985/rtc/v1/whip/?action=delete&token=8cc2p0s1l&app=live&stream=show&session=a1b2c3d4%3Aef56',
    ],
    unauthorized: { status: 401, headers: {}, body: 'Unauthorized' },
    live: json(200, {
      code: 0,
      server: 'vid-1',
      streams: [
        { id: 'vid-2', name: 'other', app: 'live', publish: { active: true, cid: 'a' } },
        { id: 'vid-3', name: 'show', app: 'live', clients: 1, publish: { active: true, cid: 'b' } },
      ],
    }),
    offline: json(200, {
      code: 0,
      server: 'vid-1',
      streams: [
        { id: 'vid-3', name: 'show', app: 'live', clients: 0, publish: { active: false } },
        { id: 'vid-4', name: 'show', app: 'other', clients: 0, publish: { active: true, cid: 'c' } },
      ],
    }),
  },
  // The address to publish to contains the secret of the input.
  cloudflare: {
    publishUrl: `${CLOUDFLARE}/${CLOUDFLARE_INPUT}k34a3efb3896e18f2dc277ce6cc993ad/webRTC/publish`,
    viewUrl: `${CLOUDFLARE}/${CLOUDFLARE_INPUT}/webRTC/play`,
    published: created(`${CLOUDFLARE}/${CLOUDFLARE_INPUT}k34a3efb3896e18f2dc277ce6cc993ad/webRTC/publish/77a1`),
    viewed: created(`${CLOUDFLARE}/${CLOUDFLARE_INPUT}/webRTC/play/91b2`),
    notLive: { status: 409, headers: {}, body: 'the live input is not connected' },
    sessions: [
      `${CLOUDFLARE}/${CLOUDFLARE_INPUT}k34a3efb3896e18f2dc277ce6cc993ad/webRTC/publish/77a1`,
      `${CLOUDFLARE}/${CLOUDFLARE_INPUT}/webRTC/play/91b2`,
    ],
    unauthorized: { status: 403, headers: {}, body: 'forbidden' },
    live: json(200, { isInput: true, videoUID: '55b9b5ce48c3968c6b514c458959d6ae', live: true }),
    offline: json(200, { isInput: true, videoUID: null, live: false }),
  },
  streamgate: {
    publishUrl: 'https://media.example/api/whip/show%20one',
    viewUrl: 'https://media.example/api/whep/main/show%20one',
    published: created('https://node-2.media.example/api/sessions/f00d', { etag: '"abc"' }),
    viewed: created('/api/sessions/beef', { etag: '"def"' }),
    notLive: {
      status: 409,
      headers: { 'retry-after': '5', 'streamgate-code': 'stream_not_live' },
      body: 'Stream not found: stream not being published',
    },
    sessions: ['https://node-2.media.example/api/sessions/f00d', 'https://media.example/api/sessions/beef'],
    unauthorized: { status: 401, headers: { 'streamgate-code': 'token_expired' }, body: 'Unauthorized: Token expired' },
    live: json(200, { status: 'success', data: [{ streamName: 'other' }, { streamName: 'show one', viewers: 2 }] }),
    offline: json(200, { status: 'success', data: [{ streamName: 'other' }] }),
  },
};
