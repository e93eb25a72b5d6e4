import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { Cleanup } from '../../support/cleanup.js';
import { sdpOffer } from '../../support/media/offer.js';
import { until } from '../../support/media/until.js';
import {
  askDirector,
  openSocket,
  refusedUpgrade,
  streamServer,
  TestClient,
  type DirectorAnswer,
  type TestServer,
} from '../../support/stream-server.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { viewing, websocketSessions } from '../../support/websocket-sessions.js';

const WANTED = { streamName: 'main', streamAccountId: 'main' };

describe('a viewer whose offer comes with the director’s call', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let media: readonly string[];
  const { publish, view, resume } = websocketSessions(() => app);

  beforeEach(async () => {
    app = await streamServer(cleanup);
    media = mediaSessionsOf(app);
  });
  afterEach(() => cleanup.run());

  const call = async (data: object = {}, token?: string): Promise<DirectorAnswer> =>
    askDirector(app, 'subscribe', token ?? (await app.token('subscribe')), {
      ...WANTED,
      view: { sdp: sdpOffer(), ...data },
    });
  const openEarly = async () => {
    const client = new TestClient(new WebSocket(`ws://127.0.0.1:${app.port}/ws/v2/sub`));
    await once(client.socket, 'open');
    return client;
  };
  const attach = async ({ body }: DirectorAnswer) => {
    const client = await openEarly();
    return { client, answer: await client.command('attach', { grant: body.data.jwt }) };
  };
  const goLive = async () => {
    const published = await publish();
    app.engine.sendFrame('main/main');
    return published;
  };
  const viewersLeft = async () => (await app.engine.stats('main/main')).viewers;

  it('is answered with the grant: what `view` answers, and what is true of the stream', async () => {
    await goLive();
    const { status, body } = await call();
    assert.equal(status, 200);
    const { sdp, subscriberId, resumeToken, events } = body.data.view;
    assert.match(sdp, /^v=0/);
    assert.match(subscriberId, /^[0-9a-f]{32}$/);
    assert.equal(typeof resumeToken, 'string');
    const [active, viewercount] = events;
    assert.deepEqual([active.name, viewercount.name, events.length], ['active', 'viewercount', 2]);
    assert.equal(active.data.sourceId, null);
    assert.ok(active.seq > 0);
    app.engine.sendFrame('main/main');
    assert.equal(app.engine.received(media[1]!, 'video'), 1, 'media needs no websocket');
  });

  it('watches as it asked to', async () => {
    await call({ layer: { encodingId: '1', spatialLayerId: 255 }, pinnedSourceId: 'stage' });
    const { layer, pinnedSourceId } = app.engine.optionsOf(media[0]!) ?? {};
    assert.deepEqual([layer?.encodingId, layer?.spatialLayerId, pinnedSourceId], ['1', undefined, 'stage']);
  });

  it('goes on by the websocket that shows the grant, and hears nothing twice', async () => {
    const { publisher } = await goLive();
    const answer = await call();
    const { client, answer: attached } = await attach(answer);
    assert.deepEqual([attached.type, attached.data], ['response', {}]);
    publisher.socket.close();
    const inactive = await client.event('inactive');
    assert.ok(inactive.seq > answer.body.data.view.events.at(-1).seq);
    assert.equal(client.events().includes('active'), false);
    assert.equal((await client.command('select', { layer: { encodingId: '0' } })).type, 'response');
    assert.deepEqual(app.engine.layerOf(media[1]!)?.encodingId, '0');
    assert.equal((await client.command('view', viewing)).code, 'already_connected');
  });

  it('goes on as well by the address that the answer names, without a word', async () => {
    const answer = await call();
    const client = await openSocket(answer);
    await goLive();
    await client.event('active');
  });

  it('hears on its websocket what happened meanwhile', async () => {
    const { publisher } = await goLive();
    const answer = await call();
    const { viewer: witness } = await view();
    publisher.socket.close();
    await witness.event('inactive');
    const { client } = await attach(answer);
    await client.event('inactive');
  });

  it('hears what it asked for, and nothing else', async () => {
    const answer = await call({ events: ['active'] });
    assert.deepEqual(answer.body.data.view.events, []);
    const { client } = await attach(answer);
    await goLive();
    await client.event('active');
    await client.command('select', { layer: {} });
    assert.deepEqual(client.events(), ['active']);
  });

  it('may wait for a stream that is not live', async () => {
    const answer = await call();
    assert.deepEqual(
      answer.body.data.view.events.map(({ name }: { name: string }) => name),
      ['viewercount'],
    );
    await goLive();
    const { client } = await attach(answer);
    await client.event('active');
  });

  it('counts as any other, and once when it comes back', async () => {
    await goLive();
    const answer = await call();
    const { viewer: witness } = await view();
    const counts = (count: number) =>
      witness.frame(({ name, data }) => name === 'viewercount' && data.viewercount === count);
    await counts(2);
    const back = await resume('sub', answer.body.data.view.resumeToken);
    assert.equal((await back.command('view', viewing)).type, 'response');
    assert.equal(app.engine.has(media[1]!), false, 'the session that it resumes is over');
    const { viewer: last } = await view();
    await last.frame(({ name, data }) => name === 'viewercount' && data.viewercount === 3);
    assert.equal(
      last.frames.some(({ name, data }) => name === 'viewercount' && data.viewercount > 3),
      false,
    );
  });

  it('is turned away by the same rules, and nothing begins', async () => {
    for (const [token, status, code] of [
      [await app.token('subscribe', { allowedOrigins: ['example.com'] }), 401, 'origin_not_allowed'],
      [await app.token('publish'), 401, 'token_wrong_kind'],
      ['ff'.repeat(32), 401, 'token_unknown'],
    ] as const) {
      const refused = await call({}, token);
      assert.deepEqual([refused.status, refused.body.data.code], [status, code]);
    }
    const nobody = await askDirector(app, 'subscribe', undefined, { ...WANTED, view: { sdp: sdpOffer() } });
    assert.deepEqual([nobody.status, nobody.body.data.code], [400, 'stream_not_live']);
    assert.deepEqual(media, []);
  });

  for (const [what, data, code] of [
    ['no offer', { sdp: undefined }, 'invalid_request'],
    ['an offer that is none', { sdp: 'hello' }, 'invalid_sdp'],
    ['layers that cannot be', { layer: { maxWidth: -1 } }, 'invalid_request'],
  ] as const) {
    it(`is told what is wrong with ${what}, and nothing begins`, async () => {
      const refused = await call(data);
      assert.deepEqual([refused.status, refused.body.data.code], [400, code]);
      assert.equal(await viewersLeft(), 0);
    });
  }

  it('is told when to come again where the engine takes nobody', async () => {
    app.engine.crash();
    const { status, headers, body } = await call();
    assert.deepEqual([status, body.data.code, headers.get('retry-after')], [503, 'engine_unavailable', '5']);
  });

  it('opens one websocket with its grant', async () => {
    const answer = await call();
    await attach(answer);
    assert.equal((await attach(answer)).answer.code, 'grant_spent');
    const { urls, jwt } = answer.body.data;
    assert.equal((await refusedUpgrade(`${urls[0]}?token=${jwt}`)).body.data.code, 'grant_spent');
  });

  it('does not attach to what has not begun', async () => {
    const { body } = await askDirector(app, 'subscribe', await app.token('subscribe'));
    const client = await openEarly();
    assert.equal((await client.command('attach', { grant: body.data.jwt })).code, 'grant_spent');
  });

  it('ends with its websocket', async () => {
    const { client } = await attach(await call());
    client.socket.close();
    await until('its media is closed', () => !app.engine.has(media[0]!));
  });

  it('hears on its websocket why it was cut off before', async () => {
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await app.server.tokens.create(scope, { label: '', streams });
    const answer = await call({}, token);
    await app.server.tokens.update(scope, id, { isActive: false });
    assert.equal(app.engine.has(media[0]!), false);
    const client = await openEarly();
    client.socket.send(
      JSON.stringify({ type: 'cmd', transId: 0, name: 'attach', data: { grant: answer.body.data.jwt } }),
    );
    assert.equal((await client.event('stopped')).data.code, 'token_disabled');
    assert.deepEqual(await client.closed, { code: 4010, reason: 'token_disabled' });
  });

  it('hears there, too, that its media was lost', async () => {
    const answer = await call();
    app.engine.loseSession(media[0]!);
    const client = await openSocket(answer);
    assert.equal((await client.closed).reason, 'transport_lost');
    assert.deepEqual(client.events(), ['viewercount', 'stopped'].slice(-1));
  });

  it('ends when the server does, its websocket there or not', async () => {
    await call();
    const { client } = await attach(await call());
    await app.server.close();
    assert.equal((await client.closed).code, 1012);
    assert.deepEqual(
      media.map((id) => app.engine.has(id)),
      [false, false],
    );
  });

  // Without a hang-up, the session would go on for longer than this.
  it('leaves nothing behind where it hangs up before it is answered', { timeout: 12_000 }, async () => {
    const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const { view: begin } = app.engine;
    app.engine.view = async (...args) => {
      noteAsked();
      await mayAnswer;
      return begin.apply(app.engine, args);
    };
    const body = JSON.stringify({ ...WANTED, token: await app.token('subscribe'), view: { sdp: sdpOffer() } });
    const headers = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': Buffer.byteLength(body) };
    const { port } = app;
    const req = request({ port, host: '127.0.0.1', path: '/api/director/subscribe', method: 'POST', headers });
    req.on('error', () => {});
    req.end(body);
    await asked;
    req.destroy();
    await new Promise((resolve) => req.once('close', resolve));
    // The server reads the end of that connection before what comes over later ones.
    for (let times = 0; times < 3; times++) await fetch(`${app.origin}/healthz`);
    answer();
    await until('the session is over', () => app.log.text.includes('session ended'));
    assert.equal(await viewersLeft(), 0);
  });

  it('ends where no websocket comes for 15 seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await call();
    t.mock.timers.tick(14_999);
    assert.equal(app.engine.has(media[0]!), true);
    t.mock.timers.tick(1);
    assert.equal(app.engine.has(media[0]!), false);
  });

  it('goes on for as long as its websocket does', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await attach(await call());
    t.mock.timers.tick(60_000);
    assert.equal(app.engine.has(media[0]!), true);
  });
});
