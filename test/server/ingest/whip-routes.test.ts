import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../support/cleanup.js';
import { askIngest, locationOf, refusalOf, whip, type Ask } from '../../support/ingest-client.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../support/stream-server.js';

const CANDIDATE = 'a=candidate:1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0';

const PUBLISH = { accountId: 'main', kind: 'publish' } as const;

describe('POST /api/whip/{streamName}', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let token: string;
  let tokenId: number;

  beforeEach(async () => {
    app = await streamServer(cleanup);
    const streams = [{ streamName: 'main', isRegex: false }];
    ({ id: tokenId, token } = await app.server.tokens.create(PUBLISH, { label: '', streams }));
  });
  afterEach(() => cleanup.run());

  /** Whether somebody else may have the name: who gets it lets go of it. */
  const isFree = async (): Promise<boolean> => {
    const answer = await whip(app, { token: await app.token('publish') });
    if (answer.status === 409) return false;
    await askIngest(app, locationOf(answer), { method: 'DELETE' });
    return true;
  };
  /** Whether media flows once there is some: nobody without a token may wait. */
  const isLive = async (): Promise<boolean> => (await askDirector(app, 'subscribe')).status === 200;

  it('takes an offer and answers with a session', async () => {
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

  it('makes the stream live for viewers of every kind when media comes', async () => {
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
    ['with its slash as it is', 'a%20room/desk%201'],
    ['with a slash at the end', 'a%20room/desk%201/'],
  ]) {
    it(`knows a name with a slash and spaces, ${what}`, async () => {
      const streams = [{ streamName: 'a room/desk 1', isRegex: false }];
      const own = await app.token('publish', { streams });
      locationOf(await whip(app, { token: own }, path));
      app.engine.sendFrame('main/a room/desk 1');
    });
  }

  it('takes the codec that is asked for, and one that we like when none is', async () => {
    const h264 = await whip(app, { token }, 'main?codec=H264');
    assert.match(h264.text, /a=rtpmap:\d+ H264\/90000/);
    assert.doesNotMatch(h264.text, /VP8/);
    await askIngest(app, locationOf(h264), { method: 'DELETE' });
    assert.match((await whip(app, { token })).text, /a=rtpmap:\d+ VP8\/90000/);
  });

  it('passes over parameters of other services', async () => {
    assert.equal((await whip(app, { token }, 'main?priority=1&simulcastId=x')).status, 201);
  });

  it('tells of TURN servers, with credentials of the session', async () => {
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

  it('names its sessions by the public address where there is one', async () => {
    const published = await streamServer(cleanup, { PUBLIC_URL: 'https://live.example.com' });
    const answer = await whip(published, { token: await published.token('publish') });
    assert.match(locationOf(answer), /^https:\/\/live\.example\.com\/api\/sessions\/[\w-]{32}$/);
  });

  describe('refuses, in plain text and with a code,', () => {
    const rules: [
      what: string,
      token: () => Promise<string | undefined>,
      status: number,
      code: string,
      text: string,
    ][] = [
      ['without a token', async () => undefined, 401, 'token_missing', 'Unauthorized: Token required'],
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
        'another address',
        () => app.token('publish', { allowedIpAddresses: ['192.0.2.1'] }),
        401,
        'address_not_allowed',
        'Unauthorized: IP Address not allowed',
      ],
      [
        'another origin',
        () => app.token('publish', { allowedOrigins: ['example.com'] }),
        401,
        'origin_not_allowed',
        'Unauthorized: Origin not allowed',
      ],
    ];
    for (const [what, present, status, code, text] of rules) {
      it(what, async () => {
        const headers = { origin: 'https://elsewhere.example' };
        const answer = await whip(app, { token: await present(), headers });
        assert.deepEqual(refusalOf(answer), [status, code, text]);
        assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.match(answer.headers.get('access-control-expose-headers')!, /Location,ETag,Link.*Streamgate-Code/);
        assert.equal(await isFree(), true);
      });
    }

    it('a name in use, and says when to ask again', async () => {
      locationOf(await whip(app, { token }));
      const answer = await whip(app, { token: await app.token('publish') });
      assert.deepEqual(refusalOf(answer), [409, 'stream_in_use', 'stream name is in use']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
    });

    it('the same source twice, and lets others on the same name', async () => {
      for (const source of ['one', 'two']) locationOf(await whip(app, { token }, `main?sourceId=${source}`));
      const answer = await whip(app, { token }, 'main?sourceId=two');
      assert.deepEqual(refusalOf(answer).slice(0, 2), [409, 'stream_in_use']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
    });

    const fragment = 'application/trickle-ice-sdpfrag';
    const unreadable: [what: string, ask: Ask, path: string, status: number, code: string, says: RegExp][] = [
      [
        'a body of another type',
        { headers: { 'content-type': 'text/plain' } },
        'main',
        415,
        'not_sdp',
        /application\/sdp/,
      ],
      ['a fragment', { headers: { 'content-type': fragment } }, 'main', 415, 'not_sdp', /application\/sdp/],
      ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 'main', 415, 'not_sdp', /not compressed/],
      ['an Accept of neither', { headers: { accept: 'text/html' } }, 'main', 406, 'not_acceptable', /text\/plain/],
      ['70 KB', { body: 'x'.repeat(70_000) }, 'main', 413, 'body_too_large', /65536/],
      ['no body', { body: '' }, 'main', 400, 'invalid_sdp', /SDP offer cannot be used/],
      ['no SDP', { body: '{"sdp":""}' }, 'main', 400, 'invalid_sdp', /SDP offer cannot be used/],
      ['60 KB of nothing', { body: `v=0\r\n${'a=x\r\n'.repeat(12_000)}` }, 'main', 400, 'invalid_sdp', /no m-line/],
      ['bytes that are no text', { body: new Uint8Array(9_000).fill(255) }, 'main', 400, 'invalid_sdp', /SDP offer/],
      ['a viewer’s offer', { body: sdpOffer() }, 'main', 400, 'invalid_sdp', /sends neither audio nor video/],
      ['100 m-lines', { body: withMedia(100) }, 'main', 400, 'invalid_sdp', /more than 64 m-lines/],
      ['codecs that nobody knows', { body: withoutCodecs() }, 'main', 400, 'no_common_codec', /no codec in common/],
      ['a codec that is not offered', { body: vp8Offer() }, 'main?codec=av1', 400, 'no_common_codec', /no av1 video/],
      ['a codec that there is not', {}, 'main?codec=theora', 400, 'invalid_request', /^Validation errors:\ncodec: /],
      ['a source without a name', {}, 'main?sourceId=', 400, 'invalid_request', /^Validation errors:\nsourceId: /],
      ['a codec twice', {}, 'main?codec=vp8&codec=h264', 400, 'invalid_request', /^Validation errors:\ncodec: /],
      ['a name that is too long', {}, 'x'.repeat(129), 400, 'invalid_request', /^Validation errors:\nstreamName: /],
      ['a name with a line break', {}, 'a%0Ab', 400, 'invalid_request', /^Validation errors:\nstreamName: /],
      ['a name that is not escaped', {}, 'a%zz', 400, 'invalid_request', /cannot be read/],
    ];
    for (const [what, ask, path, status, code, says] of unreadable) {
      it(what, async () => {
        const answer = await whip(app, { token, ...ask }, path);
        assert.deepEqual([answer.status, answer.headers.get('streamgate-code')], [status, code]);
        assert.match(answer.text, says);
        assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
        assert.equal(await isFree(), true);
      });
    }

    it('everybody while the media engine is down', async () => {
      app.engine.crash();
      const answer = await whip(app, { token });
      assert.deepEqual(refusalOf(answer).slice(0, 2), [503, 'engine_unavailable']);
      assert.match(answer.headers.get('retry-after')!, /^\d+$/);
      app.engine.recover();
      assert.equal((await whip(app, { token })).status, 201);
    });

    it('where it stands in the refusals', async () => {
      await whip(app, { token: await app.token('subscribe') });
      const secret = await app.server.secrets.create('main');
      const { text } = await askIngest(app, '/api/refusals', { method: 'GET', token: secret });
      const [newest] = JSON.parse(text).data;
      assert.deepEqual([newest.kind, newest.streamName, newest.reason], ['publish', 'main', 'token_wrong_kind']);
    });
  });

  it('binds the address that a token goes live from', async () => {
    const streams = [{ streamName: 'main', isRegex: false }];
    const bound = await app.server.tokens.create(PUBLISH, { label: '', streams, bindIpsOnUsage: 1 });
    locationOf(await whip(app, { token: bound.token }));
    const { boundIps } = await app.server.tokens.get(PUBLISH, bound.id);
    assert.deepEqual(
      boundIps.map(({ address }) => address),
      ['127.0.0.1'],
    );
  });

  it('has nothing to show, and does nothing else', async () => {
    assert.deepEqual(await seen('/api/whip/main', 'GET'), [204, '', null]);
    assert.deepEqual(await seen('/api/whip/main', 'HEAD'), [204, '', null]);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await askIngest(app, '/api/whip/main', { method });
      assert.deepEqual(refusalOf(answer).slice(0, 2), [405, 'method_not_allowed']);
      assert.equal(answer.headers.get('allow'), 'POST');
    }
  });

  it('tells browsers and others what it takes', async () => {
    const headers = { origin: 'https://site.example', 'access-control-request-method': 'POST' };
    const answer = await askIngest(app, '/api/whip/main', { method: 'OPTIONS', headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('accept-post'), 'application/sdp');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-methods'), 'POST');
    assert.equal(answer.headers.get('access-control-allow-headers'), 'authorization,content-type,if-match');
  });

  /** Status, text and code of an answer. */
  const seen = async (path: string, method: string, ask: Ask = {}) => {
    const { status, text, headers } = await askIngest(app, path, { ...ask, method });
    return [status, text, headers.get('streamgate-code')];
  };

  describe('its session', () => {
    const sdpfrag = { 'content-type': 'application/trickle-ice-sdpfrag' };
    const fragment = (ufrag = 'abcd') =>
      `a=ice-ufrag:${ufrag}\r\na=ice-pwd:abcdefghijklmnopqrstuvwx\r\nm=audio 9 RTP/AVP 0\r\na=mid:0\r\n${CANDIDATE}\r\n`;
    const opened = async () => {
      const answer = await whip(app, { token });
      return { session: locationOf(answer), etag: answer.headers.get('etag')! };
    };

    it('ends by DELETE, and is there no more', async () => {
      const { session } = await opened();
      assert.deepEqual(await seen(session, 'DELETE'), [200, '', null]);
      assert.equal(await isFree(), true);
      for (const method of ['DELETE', 'PATCH', 'GET', 'PUT']) {
        const ask = { headers: sdpfrag, ...(method === 'PATCH' && { body: fragment() }) };
        assert.deepEqual((await seen(session, method, ask)).toSpliced(1, 1), [404, 'session_not_found'], method);
      }
    });

    it('takes candidates as they are found, and that there are no more', async () => {
      const { session, etag } = await opened();
      for (const [ifMatch, body] of [
        [etag, fragment()],
        [`"other", ${etag}`, `${fragment()}a=end-of-candidates\r\n`],
        ['*', fragment()],
      ]) {
        const answer = await askIngest(app, session, {
          method: 'PATCH',
          headers: { ...sdpfrag, 'if-match': ifMatch! },
          body: body!,
        });
        assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [204, '', null]);
      }
    });

    const bad: [what: string, ask: (etag: string) => Ask, status: number, code: string][] = [
      ['no If-Match', () => ({ headers: sdpfrag, body: fragment() }), 428, 'etag_missing'],
      ['another ETag', () => ({ headers: { ...sdpfrag, 'if-match': '"x"' }, body: fragment() }), 412, 'etag_mismatch'],
      [
        'other ICE credentials',
        () => ({ headers: { ...sdpfrag, 'if-match': '*' }, body: fragment('ysXw') }),
        422,
        'ice_restart_unsupported',
      ],
      [
        'a fragment that is none',
        (etag) => ({ headers: { ...sdpfrag, 'if-match': etag }, body: 'v=0' }),
        400,
        'invalid_sdp_fragment',
      ],
      [
        'another type',
        (etag) => ({ headers: { 'content-type': 'application/sdp', 'if-match': etag }, body: fragment() }),
        415,
        'not_sdp',
      ],
      [
        '70 KB',
        (etag) => ({ headers: { ...sdpfrag, 'if-match': etag }, body: fragment() + `${CANDIDATE}\r\n`.repeat(900) }),
        413,
        'body_too_large',
      ],
    ];
    for (const [what, ask, status, code] of bad) {
      it(`refuses a PATCH with ${what}, and goes on`, async () => {
        const { session, etag } = await opened();
        assert.deepEqual((await seen(session, 'PATCH', ask(etag))).toSpliced(1, 1), [status, code]);
        assert.equal(await isFree(), false);
        assert.deepEqual(await seen(session, 'DELETE'), [200, '', null]);
      });
    }

    it('has nothing to show, and does nothing else', async () => {
      const { session } = await opened();
      assert.deepEqual(await seen(session, 'GET'), [204, '', null]);
      for (const method of ['POST', 'PUT']) {
        const answer = await askIngest(app, session, { method });
        assert.deepEqual(refusalOf(answer).slice(0, 2), [405, 'method_not_allowed']);
        assert.equal(answer.headers.get('allow'), 'PATCH, DELETE');
      }
    });

    it('tells browsers and others what it takes', async () => {
      const { session } = await opened();
      const headers = { origin: 'https://site.example', 'access-control-request-method': 'PATCH' };
      const answer = await askIngest(app, session, { method: 'OPTIONS', headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('accept-patch'), 'application/trickle-ice-sdpfrag');
      assert.equal(answer.headers.get('access-control-allow-methods'), 'PATCH,DELETE');
      assert.match(answer.headers.get('access-control-allow-headers')!, /if-match/);
    });

    const ends: [how: string, end: (mediaId: string) => unknown][] = [
      ['its token is disabled', () => disable()],
      ['its owner stops the stream', () => stopAll()],
      ['its transport is lost', (mediaId) => app.engine.loseSession(mediaId)],
      ['the media engine dies', () => (app.engine.crash(), app.engine.recover())],
    ];
    for (const [how, end] of ends) {
      it(`is there no more when ${how}`, async () => {
        const mediaIds = mediaSessionsOf(app);
        const { session } = await opened();
        app.engine.sendFrame('main/main');
        assert.equal(await isLive(), true);
        await end(mediaIds[0]!);
        assert.deepEqual((await seen(session, 'GET')).toSpliced(1, 1), [404, 'session_not_found']);
        assert.equal(await isLive(), false);
      });
    }

    it('has an address that no log tells', async () => {
      const { session, etag } = await opened();
      await askIngest(app, session, { method: 'PATCH', headers: { ...sdpfrag, 'if-match': etag }, body: 'x' });
      await seen(session, 'DELETE');
      await seen(session, 'DELETE');
      assert.match(app.log.text, /session opened/);
      assert.equal(app.log.text.includes(session.split('/').at(-1)!), false);
      assert.equal(app.log.text.includes(token), false);
    });
  });

  const disable = () => app.server.tokens.update(PUBLISH, tokenId, { isActive: false });
  const stopAll = async () => {
    const secret = await app.server.secrets.create('main');
    const headers = { 'content-type': 'application/json' };
    assert.equal((await askIngest(app, '/api/stream/stop/all', { token: secret, headers, body: '{}' })).status, 200);
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
