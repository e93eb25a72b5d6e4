import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { askIngest, locationOf, refusalOf, whip, type Ask } from '../../support/ingest-client.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';

const PUBLISH = { accountId: 'main', kind: 'publish' } as const;

describe('POST /api/whip/{streamName}', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let token: string;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    const streams = [{ streamName: 'main', isRegex: false }];
    ({ token } = await app.server.tokens.create(PUBLISH, { label: '', streams }));
  });
  afterEach(() => cleanup.run());

  /** Whether another publisher can have the name. Ends the session that it opens to find out. */
  const isFree = async (): Promise<boolean> => {
    const answer = await whip(app, { token: await app.token('publish') });
    if (answer.status === 409) return false;
    await askIngest(app, locationOf(answer), { method: 'DELETE' });
    return true;
  };
  /** Whether the stream is live: a viewer without a token is refused while it is not. */
  const isLive = async (): Promise<boolean> => (await askDirector(app, 'subscribe')).status === 200;

  it('answers an offer with a session', async () => {
    const answer = await whip(app, { token });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('content-type'), 'application/sdp');
    assert.match(locationOf(answer), /^\/api\/sessions\/[\w-]{32}$/);
    assert.match(answer.headers.get('etag')!, /^"[\w-]{12}"$/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.has('link'), false);
    assert.deepEqual(answer.text.match(/^a=(?:recvonly|sendonly|inactive)/gm), ['a=recvonly', 'a=recvonly']);
    assert.equal(await isFree(), false);
  });

  it('makes the stream live for all viewers when media flows', async () => {
    const viewer = await openSocket(await askDirector(app, 'subscribe', await app.token('subscribe')));
    await viewer.command('view', { sdp: sdpOffer() });
    assert.equal((await whip(app, { token })).status, 201);
    assert.equal(await isLive(), false);
    app.engine.sendFrame('main/main');
    assert.equal((await viewer.event('active')).data.streamId, 'main/main');
    assert.equal(await isLive(), true);
    viewer.socket.terminate();
  });

  for (const [what, path] of [
    ['escaped', 'a%20room%2Fdesk%201'],
    ['with an unescaped slash', 'a%20room/desk%201'],
    ['with a slash at the end', 'a%20room/desk%201/'],
  ]) {
    it(`accepts a name with a slash and spaces, ${what}`, async () => {
      const streams = [{ streamName: 'a room/desk 1', isRegex: false }];
      const own = await app.token('publish', { streams });
      locationOf(await whip(app, { token: own }, path));
      app.engine.sendFrame('main/a room/desk 1');
    });
  }

  it('selects the codec of the query, and one of its own without a query', async () => {
    const h264 = await whip(app, { token }, 'main?codec=H264');
    assert.match(h264.text, /a=rtpmap:\d+ H264\/90000/);
    assert.doesNotMatch(h264.text, /VP8/);
    await askIngest(app, locationOf(h264), { method: 'DELETE' });
    assert.match((await whip(app, { token })).text, /a=rtpmap:\d+ VP8\/90000/);
  });

  it('ignores query parameters of other services', async () => {
    assert.equal((await whip(app, { token }, 'main?priority=1&simulcastId=x')).status, 201);
  });

  it('sends the STUN and TURN servers, with credentials for the session', async () => {
    const relayed = await streamServer(cleanup, {
      STUN_URLS: 'stun:stun.example.com',
      TURN_URLS: 'turn:turn.example.com?transport=udp',
      TURN_SECRET: 'a secret that is long enough',
    });
    const answer = await whip(relayed, { token: await relayed.token('publish') });
    assert.match(
      answer.headers.get('link')!,
      /^<stun:stun.example.com>; rel="ice-server", <turn:turn.example.com\?transport=udp>; rel="ice-server"; username="\d+:[0-9a-f]{32}"; credential="[\w+/]{27}="; credential-type="password"$/,
    );
  });

  it('uses PUBLIC_URL in the URL of the session', async () => {
    const published = await streamServer(cleanup, { PUBLIC_URL: 'https://live.example.com' });
    const answer = await whip(published, { token: await published.token('publish') });
    assert.match(locationOf(answer), /^https:\/\/live\.example\.com\/api\/sessions\/[\w-]{32}$/);
  });

  describe('refuses in plain text and with a code', () => {
    const rules: [
      what: string,
      token: () => Promise<string | undefined>,
      status: number,
      code: string,
      text: string,
    ][] = [
      ['a request without a token', async () => undefined, 401, 'token_missing', 'Unauthorized: Token required'],
      ['an unknown token', async () => '00'.repeat(32), 401, 'token_unknown', 'Unauthorized: Invalid token'],
      [
        'a subscribe token',
        () => app.token('subscribe'),
        401,
        'token_wrong_kind',
        'Unauthorized: Invalid token, it is of the other kind',
      ],
      [
        'a token of other streams',
        () => app.token('publish', { streams: [{ streamName: 'other', isRegex: false }] }),
        401,
        'stream_not_permitted',
        'Unauthorized: StreamName is not valid for token',
      ],
      [
        'an address that the token denies',
        () => app.token('publish', { deniedIpAddresses: ['127.0.0.0/8'] }),
        401,
        'address_denied',
        'Unauthorized: IP Address denied',
      ],
      [
        'an address that the token does not permit',
        () => app.token('publish', { allowedIpAddresses: ['192.0.2.1'] }),
        401,
        'address_not_allowed',
        'Unauthorized: IP Address not allowed',
      ],
      [
        'an origin that the token does not permit',
        () => app.token('publish', { allowedOrigins: ['example.com'] }),
        401,
        'origin_not_allowed',
        'Unauthorized: Origin not allowed',
      ],
    ];
    for (const [what, tokenOf, status, code, text] of rules) {
      it(what, async () => {
        const headers = { origin: 'https://elsewhere.example' };
        const answer = await whip(app, { token: await tokenOf(), headers });
        assert.deepEqual(refusalOf(answer), [status, code, text]);
        assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.match(answer.headers.get('access-control-expose-headers')!, /Location,ETag,Link.*Streamgate-Code/);
        assert.equal(await isFree(), true);
      });
    }

    it('a name in use, with a Retry-After', async () => {
      locationOf(await whip(app, { token }));
      const answer = await whip(app, { token: await app.token('publish') });
      assert.deepEqual(refusalOf(answer), [409, 'stream_in_use', 'stream name is in use']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
    });

    it('a source in use, and permits other sources of the same name', async () => {
      for (const source of ['one', 'two']) locationOf(await whip(app, { token }, `main?sourceId=${source}`));
      const answer = await whip(app, { token }, 'main?sourceId=two');
      assert.deepEqual(refusalOf(answer).slice(0, 2), [409, 'stream_in_use']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
    });

    const fragment = 'application/trickle-ice-sdpfrag';
    const invalid: [what: string, ask: Ask, path: string, status: number, code: string, message: RegExp][] = [
      [
        'a body of another type',
        { headers: { 'content-type': 'text/plain' } },
        'main',
        415,
        'not_sdp',
        /application\/sdp/,
      ],
      ['an SDP fragment', { headers: { 'content-type': fragment } }, 'main', 415, 'not_sdp', /application\/sdp/],
      ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 'main', 415, 'not_sdp', /not compressed/],
      [
        'an Accept header without both content types',
        { headers: { accept: 'text/html' } },
        'main',
        406,
        'not_acceptable',
        /text\/plain/,
      ],
      ['a body of 70 KB', { body: 'x'.repeat(70_000) }, 'main', 413, 'body_too_large', /65536/],
      ['no body', { body: '' }, 'main', 400, 'invalid_sdp', /SDP offer cannot be used/],
      ['a body that is not SDP', { body: '{"sdp":""}' }, 'main', 400, 'invalid_sdp', /SDP offer cannot be used/],
      [
        '60 KB of SDP without an m-line',
        { body: `v=0\r\n${`a=${'x'.repeat(118)}\r\n`.repeat(490)}` },
        'main',
        400,
        'invalid_sdp',
        /no m-line/,
      ],
      ['bytes that are not text', { body: new Uint8Array(9_000).fill(255) }, 'main', 400, 'invalid_sdp', /SDP offer/],
      ['a viewer’s offer', { body: sdpOffer() }, 'main', 400, 'invalid_sdp', /sends neither audio nor video/],
      ['100 m-lines', { body: withMedia(100) }, 'main', 400, 'invalid_sdp', /more than 64 m-lines/],
      ['unknown codecs only', { body: withoutCodecs() }, 'main', 400, 'no_common_codec', /sends audio in PCMX/],
      [
        'H.265 beside Opus',
        { body: sdpOffer({ direction: 'sendonly', videoCodecs: ['h264'] }).replace('H264/90000', 'H265/90000') },
        'main',
        400,
        'no_common_codec',
        /sends video in H265/,
      ],
      [
        'two videos',
        { body: sdpOffer({ direction: 'sendonly', kinds: ['audio', 'video', 'video'] }) },
        'main',
        400,
        'too_many_tracks',
        /two tracks of video/,
      ],
      [
        'several transports',
        { body: sdpOffer({ direction: 'sendonly' }).replace(/a=group.*\r\n/, '') },
        'main',
        400,
        'bundle_required',
        /bundle all m-lines/,
      ],
      ['a codec that is not offered', { body: vp8Offer() }, 'main?codec=av1', 400, 'no_common_codec', /no av1 video/],
      [
        'an unknown codec in the query',
        {},
        'main?codec=theora',
        400,
        'invalid_request',
        /^Validation errors:\ncodec: /,
      ],
      ['an empty source id', {}, 'main?sourceId=', 400, 'invalid_request', /^Validation errors:\nsourceId: /],
      [
        'a codec that is given twice',
        {},
        'main?codec=vp8&codec=h264',
        400,
        'invalid_request',
        /^Validation errors:\ncodec: /,
      ],
      ['a name that is too long', {}, 'x'.repeat(129), 400, 'invalid_request', /^Validation errors:\nstreamName: /],
      ['a name with a line break', {}, 'a%0Ab', 400, 'invalid_request', /^Validation errors:\nstreamName: /],
      ['a name with an invalid escape', {}, 'a%zz', 400, 'invalid_request', /cannot be read/],
    ];
    for (const [what, ask, path, status, code, message] of invalid) {
      it(what, async () => {
        const answer = await whip(app, { token, ...ask }, path);
        assert.deepEqual([answer.status, answer.headers.get('streamgate-code')], [status, code]);
        assert.match(answer.text, message);
        assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
        assert.equal(await isFree(), true);
      });
    }

    it('every client while the media engine is down', async () => {
      app.engine.crash();
      const answer = await whip(app, { token });
      assert.deepEqual(refusalOf(answer).slice(0, 2), [503, 'engine_unavailable']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
      app.engine.recover();
      assert.equal((await whip(app, { token })).status, 201);
    });

    it('and writes the refusal to the refusal log', async () => {
      await whip(app, { token: await app.token('subscribe') });
      const secret = await app.server.secrets.create('main');
      const { text } = await askIngest(app, '/api/refusals', { method: 'GET', token: secret });
      const [newest] = JSON.parse(text).data;
      assert.deepEqual([newest.kind, newest.streamName, newest.reason], ['publish', 'main', 'token_wrong_kind']);
    });
  });

  it('binds the address of the publisher to the token', async () => {
    const streams = [{ streamName: 'main', isRegex: false }];
    const bound = await app.server.tokens.create(PUBLISH, { label: '', streams, bindIpsOnUsage: 1 });
    locationOf(await whip(app, { token: bound.token }));
    const { boundIps } = await app.server.tokens.get(PUBLISH, bound.id);
    assert.deepEqual(
      boundIps.map(({ address }) => address),
      ['127.0.0.1'],
    );
  });

  it('answers GET with 204, and refuses other methods', async () => {
    assert.deepEqual(await answerOf('/api/whip/main', 'GET'), [204, '', null]);
    assert.deepEqual(await answerOf('/api/whip/main', 'HEAD'), [204, '', null]);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await askIngest(app, '/api/whip/main', { method });
      assert.deepEqual(refusalOf(answer).slice(0, 2), [405, 'method_not_allowed']);
      assert.equal(answer.headers.get('allow'), 'POST');
    }
  });

  it('answers OPTIONS with the accepted content type and methods', async () => {
    const headers = { origin: 'https://site.example', 'access-control-request-method': 'POST' };
    const answer = await askIngest(app, '/api/whip/main', { method: 'OPTIONS', headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('accept-post'), 'application/sdp');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-methods'), 'POST');
    assert.equal(answer.headers.get('access-control-allow-headers'), 'authorization,content-type,if-match');
  });

  /** The status, text and code of an answer. */
  const answerOf = async (path: string, method: string, ask: Ask = {}) => {
    const { status, text, headers } = await askIngest(app, path, { ...ask, method });
    return [status, text, headers.get('streamgate-code')];
  };
});

function vp8Offer(): string {
  return sdpOffer({ direction: 'sendonly', videoCodecs: ['vp8'] });
}

function withMedia(count: number): string {
  const [session, ...media] = sdpOffer({ direction: 'sendonly', kinds: ['audio'] }).split(/(?=m=audio)/);
  return session + media.join('').repeat(count);
}

function withoutCodecs(): string {
  return sdpOffer({ direction: 'sendonly' }).replaceAll(/opus|VP8|VP9|H264|AV1/g, 'PCMX');
}
