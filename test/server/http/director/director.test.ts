import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import { Cleanup } from '../../../support/cleanup.js';
import { payloadOf } from '../../../support/grant.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { askDirector, openSocket, streamServer, type TestServer } from '../../../support/stream-server.js';

describe('/api/director', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const goLive = async (fields: { subscribeRequiresAuth?: boolean } = {}) => {
    const answer = await askDirector(app, 'publish', await app.token('publish', fields));
    const publisher = await openSocket(answer);
    const { data } = await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) });
    app.engine.sendFrame('main/main');
    return { publisher, data };
  };

  it('lets a viewer with a token wait, with the fields that existing clients read', async () => {
    const { status, headers, body } = await askDirector(app, 'subscribe', await app.token('subscribe'));
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(body.data.urls[0], new RegExp(`^ws://127.0.0.1:${app.port}/ws/v2/sub/[0-9a-f]{32}$`));
    assert.deepEqual(
      { ...body.data, jwt: '', urls: [], wsUrl: '' },
      { wsUrl: '', urls: [], jwt: '', iceServers: [], streamAccountId: 'main', drmObject: null },
    );
    const { iat, exp, millicast } = payloadOf(body.data.jwt);
    assert.equal(exp - iat, 60);
    assert.equal(millicast.type, 'Subscribe');
    assert.equal(millicast.streamName, 'main');
  });

  it('tells a publisher whether viewers need a token', async () => {
    const token = await app.token('publish', { subscribeRequiresAuth: true });
    const { body } = await askDirector(app, 'publish', token);
    assert.equal(body.data.subscribeRequiresAuth, true);
    assert.match(body.data.urls[0], /\/ws\/v2\/pub\//);
    assert.equal(payloadOf(body.data.jwt).millicast.record, false);
  });

  describe('asked what would apply to a broadcast', () => {
    const terms = async (token: string | undefined, streamName = 'main') => {
      const { status, body } = await askDirector(app, 'check', token, { streamName });
      return { status, ...body.data };
    };

    it('says whether viewers need a token and whether it is recorded, and grants nothing', async () => {
      const plain = await app.token('publish');
      assert.deepEqual(await terms(plain), {
        status: 200,
        streamAccountId: 'main',
        subscribeRequiresAuth: false,
        record: false,
      });
      const recorded = await app.token('publish', { subscribeRequiresAuth: true, record: true });
      assert.equal((await terms(recorded)).subscribeRequiresAuth, true);
      assert.equal('jwt' in (await terms(recorded)), false);
    });

    it('answers although the stream is live: its broadcaster may come back', async () => {
      await goLive();
      assert.equal((await terms(await app.token('publish'))).status, 200);
    });

    it('refuses what a broadcast is refused for, without an entry in the log of refusals', async () => {
      const token = await app.token('publish');
      const outcomes = [
        await terms(undefined),
        await terms('unknown'),
        await terms(await app.token('subscribe')),
        await terms(token, 'other'),
      ];
      assert.deepEqual(
        outcomes.map(({ status, code }) => [status, code]),
        [
          [401, 'token_missing'],
          [401, 'token_unknown'],
          [401, 'token_wrong_kind'],
          [401, 'stream_not_permitted'],
        ],
      );
      const client = new ManagementClient({ endpoint: app.origin, secret: await app.server.secrets.create('main') });
      assert.equal((await client.oversight.refusals({})).total, 0);
    });

    it('binds no address', async () => {
      const token = await app.token('publish', { bindIpsOnUsage: 1 });
      assert.equal((await terms(token)).status, 200);
      const client = new ManagementClient({ endpoint: app.origin, secret: await app.server.secrets.create('main') });
      assert.deepEqual((await client.publishTokens.list()).tokens[0]?.boundIps, []);
    });
  });

  it('includes the seconds until the token expires', async () => {
    const { body } = await askDirector(app, 'subscribe', await app.token('subscribe', { expires: 90 }));
    assert.equal(body.data.tokenExpiresIn, 90);
  });

  it('takes the account from the token', async () => {
    const token = await app.token('subscribe');
    const { status, body } = await askDirector(app, 'subscribe', token, { streamName: 'main' });
    assert.equal(status, 200);
    assert.equal(body.data.streamAccountId, 'main');
  });

  it('refuses a viewer without a token while the stream is not live, with the message that clients match', async () => {
    const { status, headers, body } = await askDirector(app, 'subscribe');
    assert.equal(status, 400);
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(body, {
      status: 'fail',
      data: {
        streamId: 'main/main',
        message: 'stream not being published',
        code: 'stream_not_live',
        requestId: headers.get('x-request-id'),
      },
    });
  });

  it('admits a viewer without a token to a live stream', async () => {
    await goLive();
    assert.equal((await askDirector(app, 'subscribe')).status, 200);
  });

  it('requires a token of viewers if the publish token says so', async () => {
    await goLive({ subscribeRequiresAuth: true });
    const { status, body } = await askDirector(app, 'subscribe');
    assert.equal(status, 401);
    assert.equal(body.data.code, 'token_missing');
    assert.match(body.data.message, /^Unauthorized: /);
    assert.equal((await askDirector(app, 'subscribe', await app.token('subscribe'))).status, 200);
  });

  it('treats NoAuth as no token, as native clients send it', async () => {
    await goLive();
    const response = await fetch(`${app.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'NoAuth' },
      body: JSON.stringify({ streamName: 'main', streamAccountId: 'main' }),
    });
    assert.equal(response.status, 200);
  });

  describe('called without a preflight, with the token in a text/plain body', () => {
    const ask = async (call: 'publish' | 'subscribe', token: string | undefined, more: Record<string, string> = {}) => {
      const response = await fetch(`${app.origin}/api/director/${call}`, {
        method: 'POST',
        headers: more,
        body: JSON.stringify({ streamName: 'main', streamAccountId: 'main', token }),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };

    it('admits either kind of token, readable for every page', async () => {
      for (const call of ['publish', 'subscribe'] as const) {
        const { status, headers, body } = await ask(call, await app.token(call));
        assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, '*']);
        assert.equal(payloadOf(body.data.jwt).millicast.streamName, 'main');
      }
    });

    it('refuses by the same rules, readable for every page', async () => {
      const expired = await app.token('subscribe', { expires: 10 });
      app.clock.now += 10_000;
      for (const [token, code, more] of [
        [expired, 'token_expired', {}],
        ['', 'token_unknown', {}],
        ['ff'.repeat(32), 'token_unknown', {}],
        [await app.token('publish'), 'token_wrong_kind', {}],
        [
          await app.token('subscribe', { allowedOrigins: ['example.com'] }),
          'origin_not_allowed',
          { origin: 'https://evil.example' },
        ],
      ] as const) {
        const { status, headers, body } = await ask('subscribe', token, more);
        assert.equal(headers.get('www-authenticate'), 'Bearer');
        assert.deepEqual([status, body.data.code], [401, code]);
        assert.equal(headers.get('access-control-allow-origin'), '*');
      }
    });

    it('admits a token that was pasted with white space around it', async () => {
      const { status } = await ask('publish', ` ${await app.token('publish')}\n`);
      assert.equal(status, 200);
      const authorization = `Bearer \t ${await app.token('publish')} `;
      assert.equal((await ask('publish', undefined, { authorization })).status, 200);
    });

    it('ignores cookies, and sets none', async () => {
      const { status, headers } = await ask('subscribe', undefined, { cookie: 'streamgate_session=sesame' });
      assert.deepEqual([status, headers.get('set-cookie')], [400, null]);
    });

    it('refuses a token in both the header and the body', async () => {
      const token = await app.token('subscribe');
      const { status, body } = await ask('subscribe', token, { authorization: `Bearer ${token}` });
      assert.deepEqual([status, body.data.code], [400, 'invalid_request']);
      assert.equal(JSON.stringify(body).includes(token), false);
    });
  });

  it('refuses an unknown token', async () => {
    const { status, body } = await askDirector(app, 'subscribe', 'ff'.repeat(32));
    assert.equal(status, 401);
    assert.equal(body.data.code, 'token_unknown');
    assert.match(body.data.message, /Unauthorized: Invalid token/);
  });

  for (const [call, kind] of [
    ['publish', 'subscribe'],
    ['subscribe', 'publish'],
  ] as const) {
    it(`refuses a ${kind} token for ${call}`, async () => {
      const { status, body } = await askDirector(app, call, await app.token(kind));
      assert.equal(status, 401);
      assert.equal(body.data.code, 'token_wrong_kind');
    });
  }

  it('refuses an expired token from the moment it expires', async () => {
    const token = await app.token('subscribe', { expires: 10 });
    app.clock.now += 9_999;
    assert.equal((await askDirector(app, 'subscribe', token)).status, 200);
    app.clock.now += 1;
    const { status, body } = await askDirector(app, 'subscribe', token);
    assert.equal(status, 401);
    assert.equal(body.data.message, 'Unauthorized: Token expired');
  });

  it('refuses a stream name that the token does not permit', async () => {
    const token = await app.token('publish');
    const { status, body } = await askDirector(app, 'publish', token, { streamName: 'another' });
    assert.equal(status, 401);
    assert.equal(body.data.code, 'stream_not_permitted');
    assert.match(body.data.message, /StreamName is not valid for token/);
  });

  it('permits every name that a pattern matches completely', async () => {
    const token = await app.token('publish', { streams: [{ streamName: 'room-[0-9]+', isRegex: true }] });
    assert.equal((await askDirector(app, 'publish', token, { streamName: 'room-12' })).status, 200);
    assert.equal((await askDirector(app, 'publish', token, { streamName: 'xroom-12' })).status, 401);
  });

  it('refuses a second publisher, with the time to retry after', async () => {
    await goLive();
    const { status, headers, body } = await askDirector(app, 'publish', await app.token('publish'));
    assert.equal(status, 409);
    assert.equal(body.data.code, 'stream_in_use');
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(headers.get('access-control-expose-headers'), 'retry-after, x-request-id');
  });

  it('admits the broadcaster again with the key of their session, and ends that session', async () => {
    const { publisher, data } = await goLive();
    const body = { streamName: 'main', sessionKey: data.sessionKey };
    const answer = await askDirector(app, 'publish', await app.token('publish'), body);
    assert.equal(answer.status, 200);

    const again = await openSocket(answer);
    assert.equal((await again.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }) })).type, 'response');
    assert.equal((await publisher.event('stopped')).data.code, 'replaced');
    assert.equal((await publisher.closed).code, 4001);
  });

  it('answers the preflight of a page of any origin', async () => {
    const response = await fetch(`${app.origin}/api/director/subscribe`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://customer.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('access-control-allow-headers'), 'authorization,content-type');
  });

  const unreadable: [what: string, body: string | object, status: number, code: string][] = [
    ['a body that is not JSON', '{"streamName":', 400, 'invalid_json'],
    ['a body without a name', {}, 400, 'invalid_request'],
    ['a name of the wrong type', { streamName: 7, streamAccountId: 'main' }, 400, 'invalid_request'],
    ['a name of 129 characters', { streamName: 'x'.repeat(129), streamAccountId: 'main' }, 400, 'invalid_request'],
    ['an empty name', { streamName: '', streamAccountId: 'main' }, 400, 'invalid_request'],
    ['neither token nor account', { streamName: 'main' }, 400, 'invalid_request'],
    ['a body over 64 KB', { streamName: 'main', more: 'x'.repeat(65_536) }, 413, 'body_too_large'],
  ];
  for (const [what, body, status, code] of unreadable) {
    it(`refuses ${what}, readable for every page`, async () => {
      const answer = await askDirector(app, 'subscribe', undefined, body);
      assert.equal(answer.status, status);
      assert.equal(answer.body.status, 'fail');
      assert.equal(answer.body.data.code, code);
      assert.equal(typeof answer.body.data.message, 'string');
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    });
  }

  it('names the allowed method', async () => {
    const response = await fetch(`${app.origin}/api/director/subscribe`);
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST');
  });

  it('writes no token to the log', async () => {
    const token = await app.token('subscribe');
    await askDirector(app, 'subscribe', token);
    await askDirector(app, 'publish', token);
    for (const view of [{ sdp: sdpOffer() }, { sdp: 'hello' }, undefined]) {
      await askDirector(app, 'subscribe', undefined, { streamName: 'main', token, view });
    }
    await askDirector(app, 'subscribe', undefined, `{"token":"${token}"`);
    assert.equal(app.log.text.includes(token), false);
  });
});
