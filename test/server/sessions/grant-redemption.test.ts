import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { signSubscribeToken } from '../../../src/management/sign-subscribe-token.js';
import type { TokenFields } from '../../../server/tokens/token-service.js';
import { Cleanup } from '../../support/cleanup.js';
import { until } from '../../support/media/until.js';
import { streamServer, TestClient, type TestServer } from '../../support/stream-server.js';
import { viewing } from '../../support/websocket-sessions.js';

interface At {
  readonly address?: string;
  readonly origin?: string;
}

type Restrictions = Partial<Pick<TokenFields, 'allowedOrigins' | 'allowedIpAddresses' | 'bindIpsOnUsage'>>;

/** A proxy in front of the server says where a caller is. */
const headersOf = ({ address = '192.0.2.1', origin }: At) => ({
  'x-forwarded-for': address,
  ...(origin !== undefined && { origin }),
});

describe('where a grant is redeemed', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1' });
  });
  afterEach(() => cleanup.run());

  const create = async (fields: Restrictions = {}) => {
    const streams = [{ streamName: 'main', isRegex: false }];
    return app.server.tokens.create({ accountId: 'main', kind: 'subscribe' }, { label: '', streams, ...fields });
  };
  const ask = async (token: string, at: At = {}, body: object = {}) => {
    const response = await fetch(`${app.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headersOf(at) },
      body: JSON.stringify({ streamName: 'main', streamAccountId: 'main', ...body }),
    });
    return (await response.json()) as { data: { urls: string[]; jwt: string; code?: string } };
  };
  const enter = async (jwt: string, at: At = {}) => {
    const url = `ws://127.0.0.1:${app.port}/ws/v2/sub/${'0'.repeat(32)}?token=${jwt}`;
    const client = new TestClient(new WebSocket(url, { headers: headersOf(at) }));
    await once(client.socket, 'open');
    return client;
  };
  /** Opens a socket first and shows the grant on it, as our own client does. */
  const enterEarly = async (jwt: string, at: At = {}) => {
    const client = new TestClient(new WebSocket(`ws://127.0.0.1:${app.port}/ws/v2/sub`, { headers: headersOf(at) }));
    await once(client.socket, 'open');
    const shown = client.command('attach', { grant: jwt });
    // A client that is turned away has no answer to its command: it is told, and the socket closes.
    shown.catch(() => {});
    return { client, shown };
  };
  const grantOf = async (token: string, at?: At) => (await ask(token, at)).data.jwt;
  const watch = async (token: string, at?: At) => {
    const viewer = await enter(await grantOf(token, at), at);
    const { data } = await viewer.command('view', viewing);
    return { viewer, resumeToken: data.resumeToken as string };
  };
  /** `admitted`, or the code that the client is told. */
  const outcomeOf = async (client: TestClient): Promise<string> => {
    const frame = await Promise.race([client.command('view', viewing), client.event('stopped')]);
    return frame.type === 'response' ? 'admitted' : (frame.data.code ?? frame.code);
  };

  it('may be another address than the one of the call, as a phone changes networks', async () => {
    const { token } = await create();
    const viewer = await enter(await grantOf(token), { address: '198.51.100.9' });
    assert.equal(await outcomeOf(viewer), 'admitted');
  });

  const places: [what: string, fields: Restrictions, here: At, there: At, code: string][] = [
    [
      'an address',
      { allowedIpAddresses: ['192.0.2.0/24'] },
      { address: '192.0.2.1' },
      { address: '198.51.100.9' },
      'address_not_allowed',
    ],
    [
      'a page',
      { allowedOrigins: ['a.example'] },
      { origin: 'https://a.example' },
      { origin: 'https://b.example' },
      'origin_not_allowed',
    ],
  ];
  for (const [what, fields, here, there, code] of places) {
    it(`may not be ${what} that its token does not permit`, async () => {
      const { token } = await create(fields);
      assert.equal(await outcomeOf(await enter(await grantOf(token, here), there)), code);
      assert.equal(await outcomeOf(await enter(await grantOf(token, here), here)), 'admitted');
    });

    it(`may not be ${what} that its token does not permit, when it is shown on a socket that is open`, async () => {
      const { token } = await create(fields);
      const { client } = await enterEarly(await grantOf(token, here), there);
      assert.equal((await client.event('stopped')).data.code, code);
    });

    it(`ends a session that began with the call, where it is ${what} that its token does not permit`, async () => {
      const { token } = await create(fields);
      const { data } = await ask(token, here, { view: { sdp: viewing.sdp } });
      const { client } = await enterEarly(data.jwt, there);
      assert.equal((await client.event('stopped')).data.code, code);
      assert.equal((await app.engine.stats('main/main')).viewers, 0);
    });

    it(`may not be ${what} that a self-signed token does not permit, with a resume token either`, async () => {
      const { id, token } = await create();
      const now = () => app.clock.now;
      const signed = await signSubscribeToken({ id, token }, { streamName: 'main', expires: 60, ...fields }, { now });
      const { resumeToken } = await watch(signed, here);
      assert.equal(await outcomeOf(await enter(resumeToken, there)), code);
      const again = await watch(signed, here);
      assert.equal(await outcomeOf(await enter(again.resumeToken, here)), 'admitted');
    });
  }

  it('takes one of the places that a token binds, also with a resume token', async () => {
    const { token } = await create({ bindIpsOnUsage: 2 });
    const { resumeToken } = await watch(token, { address: '192.0.2.1' });
    const second = await enter(resumeToken, { address: '192.0.2.2' });
    const { data } = await second.command('view', viewing);
    assert.equal(await outcomeOf(await enter(data.resumeToken, { address: '192.0.2.3' })), 'address_not_bound');
    assert.equal((await ask(token, { address: '192.0.2.3' })).data.code, 'address_not_bound');
    assert.equal((await ask(token, { address: '192.0.2.2' })).data.code, undefined);
  });

  it('counts from then on: a change of the allowed addresses is decided by where the session is now', async () => {
    const { id, token } = await create();
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const { data } = await ask(token, { address: '192.0.2.1' }, { view: { sdp: viewing.sdp } });
    const { client, shown } = await enterEarly(data.jwt, { address: '198.51.100.9' });
    assert.equal((await shown).type, 'response');
    await app.server.tokens.update(scope, id, { allowedIpAddresses: ['198.51.100.9'] });
    assert.equal((await client.command('fly')).code, 'unknown_command');
    await app.server.tokens.update(scope, id, { allowedIpAddresses: ['192.0.2.1'] });
    assert.equal((await client.event('stopped')).data.code, 'address_not_allowed');
  });

  it('opens one websocket, also when two show it at once', async () => {
    const { token } = await create();
    const { data } = await ask(token, {}, { view: { sdp: viewing.sdp } });
    const [one, other] = [await enterEarly(data.jwt), await enterEarly(data.jwt)];
    const codes = [(await one.shown).code, (await other.shown).code];
    assert.deepEqual(codes, [undefined, 'grant_spent']);
  });

  describe('by a client that is gone before the answer', () => {
    /** Holds every binding until it is told to go on. */
    const held = () => {
      const { tokens } = app.server;
      const bind = tokens.bindAddress.bind(tokens);
      const asked = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      tokens.bindAddress = async (...call) => {
        asked.resolve();
        await go.promise;
        return bind(...call);
      };
      return { asked: asked.promise, go: go.resolve };
    };
    const sessionsEnded = () => app.log.text.split('"session ended"').length - 1;

    it('leaves no session behind on a socket that was open', async () => {
      const { token } = await create({ bindIpsOnUsage: 2 });
      const { data } = await ask(token, {}, { view: { sdp: viewing.sdp } });
      const binding = held();
      const { client } = await enterEarly(data.jwt, { address: '198.51.100.9' });
      await binding.asked;
      client.socket.terminate();
      await client.closed;
      binding.go();
      await until('the session ended', () => sessionsEnded() === 1);
      assert.equal((await app.engine.stats('main/main')).viewers, 0);
    });

    it('leaves no session behind on a socket that was about to open', async () => {
      const { token } = await create({ bindIpsOnUsage: 2 });
      const { data } = await ask(token, {}, { view: { sdp: viewing.sdp } });
      const binding = held();
      const url = `ws://127.0.0.1:${app.port}/ws/v2/sub/${'0'.repeat(32)}?token=${data.jwt}`;
      const socket = new WebSocket(url, { headers: headersOf({ address: '198.51.100.9' }) });
      socket.on('error', () => {});
      await binding.asked;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.terminate();
      await closed;
      // By the time that the server has answered, it has heard of the end of the connection before.
      await fetch(`${app.origin}/healthz`);
      binding.go();
      await until('the session ended', () => sessionsEnded() === 1);
      assert.equal((await app.engine.stats('main/main')).viewers, 0);
    });
  });
});
