import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { Cleanup } from '../../support/cleanup.js';
import { hurryTimeouts } from '../../support/hurried-timers.js';
import { sdpOffer } from '../../support/media/offer.js';
import { askDirector, streamServer, TestClient, type TestServer } from '../../support/stream-server.js';

describe('a websocket that is opened before its grant', () => {
  const cleanup = new Cleanup();
  let app: TestServer;

  beforeEach(async () => {
    app = await streamServer(cleanup);
  });
  afterEach(() => cleanup.run());

  const open = async (role: 'pub' | 'sub', localAddress = '127.0.0.1') => {
    const client = new TestClient(new WebSocket(`ws://127.0.0.1:${app.port}/ws/v2/${role}`, { localAddress }));
    await once(client.socket, 'open');
    return client;
  };
  const grantFor = async (call: 'publish' | 'subscribe'): Promise<string> =>
    (await askDirector(app, call, await app.token(call))).body.data.jwt;

  it('serves a session like any other after the first command, which brings the grant', async () => {
    const viewer = await open('sub');
    const { type, data } = await viewer.command('view', { sdp: sdpOffer(), grant: await grantFor('subscribe') });
    assert.equal(type, 'response');
    assert.match(data.subscriberId, /^[0-9a-f]{32}$/);
    assert.equal((await viewer.event('viewercount')).data.viewercount, 0);
    assert.equal((await viewer.command('select', { layer: {} })).type, 'response');
  });

  it('serves publishers as well', async () => {
    const publisher = await open('pub');
    const grant = await grantFor('publish');
    const { data } = await publisher.command('publish', { sdp: sdpOffer({ direction: 'sendonly' }), grant });
    assert.equal(typeof data.sessionKey, 'string');
  });

  it('refuses a first command without a grant, and closes', async () => {
    const client = await open('sub');
    const { type, code } = await client.command('view', { sdp: sdpOffer() });
    assert.deepEqual([type, code], ['error', 'grant_missing']);
    assert.deepEqual(await client.closed, { code: 1008, reason: 'grant_missing' });
  });

  for (const [what, frame] of [
    ['a frame that is not JSON', 'hello'],
    ['a frame that is not a command', '{"type":"event"}'],
    ['a grant that is not a string', '{"type":"cmd","transId":3,"name":"view","data":{"grant":7}}'],
  ] as const) {
    it(`refuses ${what}, and closes`, async () => {
      const client = await open('sub');
      client.socket.send(frame);
      assert.equal((await client.closed).reason, 'grant_missing');
      assert.equal(client.frames[0].code, 'grant_missing');
    });
  }

  it('refuses a grant of another role, a used grant and an invalid grant', async () => {
    const first = await open('sub');
    const grant = await grantFor('subscribe');
    await first.command('view', { sdp: sdpOffer(), grant });
    for (const [role, presented, code] of [
      ['sub', grant, 'grant_spent'],
      ['sub', await grantFor('publish'), 'grant_invalid'],
      ['sub', 'a.b.c', 'grant_invalid'],
      ['pub', await grantFor('subscribe'), 'grant_invalid'],
    ] as const) {
      const client = await open(role);
      assert.equal((await client.command('view', { sdp: sdpOffer(), grant: presented })).code, code);
      assert.equal((await client.closed).code, 1008);
    }
  });

  it('refuses an expired grant', async () => {
    const client = await open('sub');
    const grant = await grantFor('subscribe');
    app.clock.now += 61_000;
    assert.equal((await client.command('view', { sdp: sdpOffer(), grant })).code, 'grant_expired');
  });

  it('is closed when the server stops', async () => {
    const client = await open('sub');
    await app.server.close();
    assert.equal((await client.closed).code, 1012);
  });

  it('takes the place of the oldest of the network that fills all 2,000', async () => {
    // A busy machine takes longer for so many than clients have for their grant.
    cleanup.after(hurryTimeouts(1 / 30));
    const honest = await open('sub', '127.1.0.1');
    const flood = await Promise.all(Array.from({ length: 1_999 }, () => open('sub')));
    const late = await open('sub', '127.2.0.1');
    await Promise.race(flood.map(({ closed }) => closed));
    for (const client of [honest, late]) {
      const { type } = await client.command('view', { sdp: sdpOffer(), grant: await grantFor('subscribe') });
      assert.equal(type, 'response');
    }
    for (const { socket } of [...flood, late, honest]) socket.terminate();
  });
});
