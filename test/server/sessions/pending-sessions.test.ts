import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { GrantLedger } from '../../../server/admission/grant-ledger.js';
import { ResumeTokens } from '../../../server/admission/resume-tokens.js';
import { ApiError } from '../../../server/errors.js';
import { PendingSessions } from '../../../server/sessions/pending-sessions.js';
import { Cleanup } from '../../support/cleanup.js';
import { aGrant } from '../../support/grant.js';
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
import { OpenedSessions } from '../../support/opened-sessions.js';
import { mediaSessionsOf } from '../../support/media-sessions.js';
import { viewing, websocketSessions } from '../../support/websocket-sessions.js';

const STREAM = { streamName: 'main', streamAccountId: 'main' };

describe('a viewer that sends its offer with the director’s call', () => {
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
      ...STREAM,
      view: { sdp: sdpOffer(), ...data },
    });
  const openWithoutGrant = async () => {
    const client = new TestClient(new WebSocket(`ws://127.0.0.1:${app.port}/ws/v2/sub`));
    await once(client.socket, 'open');
    return client;
  };
  const attach = async ({ body }: DirectorAnswer) => {
    const client = await openWithoutGrant();
    return { client, answer: await client.command('attach', { grant: body.data.jwt }) };
  };
  const goLive = async () => {
    const published = await publish();
    app.engine.sendFrame('main/main');
    return published;
  };
  const viewersLeft = async () => (await app.engine.stats('main/main')).viewers;

  it('receives the grant, the answer to `view`, and everything that is true of the stream', async () => {
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
    assert.equal(app.engine.received(media[1]!, 'video'), 1, 'media flows without a websocket');
  });

  it('has the layer and the source that it asked for', async () => {
    await call({ layer: { encodingId: '1', spatialLayerId: 255 }, pinnedSourceId: 'stage' });
    const { layer, pinnedSourceId } = app.engine.optionsOf(media[0]!) ?? {};
    assert.deepEqual([layer?.encodingId, layer?.spatialLayerId, pinnedSourceId], ['1', undefined, 'stage']);
  });

  it('continues on the websocket that brings the grant, without receiving an event twice', async () => {
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

  it('continues on the URL of the answer without a command', async () => {
    const answer = await call();
    const client = await openSocket(answer);
    await goLive();
    await client.event('active');
  });

  it('receives on its websocket the events of the meantime', async () => {
    const { publisher } = await goLive();
    const answer = await call();
    const { viewer: observer } = await view();
    publisher.socket.close();
    await observer.event('inactive');
    const { client } = await attach(answer);
    await client.event('inactive');
  });

  it('receives only the events that it selected', async () => {
    const answer = await call({ events: ['active'] });
    assert.deepEqual(answer.body.data.view.events, []);
    const { client } = await attach(answer);
    await goLive();
    await client.event('active');
    await client.command('select', { layer: {} });
    assert.deepEqual(client.events(), ['active']);
  });

  it('can wait for a stream that is not live', async () => {
    const answer = await call();
    assert.deepEqual(
      answer.body.data.view.events.map(({ name }: { name: string }) => name),
      ['viewercount'],
    );
    await goLive();
    const { client } = await attach(answer);
    await client.event('active');
  });

  it('counts like any viewer, and once when it resumes', async () => {
    await goLive();
    const answer = await call();
    const { viewer: observer } = await view();
    const counts = (count: number) =>
      observer.frame(({ name, data }) => name === 'viewercount' && data.viewercount === count);
    await counts(2);
    const resumed = await resume('sub', answer.body.data.view.resumeToken);
    assert.equal((await resumed.command('view', viewing)).type, 'response');
    assert.equal(app.engine.has(media[1]!), false, 'the session that it resumes has ended');
    const { viewer: last } = await view();
    await last.frame(({ name, data }) => name === 'viewercount' && data.viewercount === 3);
    assert.equal(
      last.frames.some(({ name, data }) => name === 'viewercount' && data.viewercount > 3),
      false,
    );
  });

  it('is refused by the same rules, and no session starts', async () => {
    for (const [token, status, code] of [
      [await app.token('subscribe', { allowedOrigins: ['example.com'] }), 401, 'origin_not_allowed'],
      [await app.token('publish'), 401, 'token_wrong_kind'],
      ['ff'.repeat(32), 401, 'token_unknown'],
    ] as const) {
      const refused = await call({}, token);
      assert.deepEqual([refused.status, refused.body.data.code], [status, code]);
    }
    const guest = await askDirector(app, 'subscribe', undefined, { ...STREAM, view: { sdp: sdpOffer() } });
    assert.deepEqual([guest.status, guest.body.data.code], [400, 'stream_not_live']);
    assert.deepEqual(media, []);
  });

  for (const [what, data, code] of [
    ['no offer', { sdp: undefined }, 'invalid_request'],
    ['an invalid offer', { sdp: 'hello' }, 'invalid_sdp'],
    ['an invalid layer', { layer: { maxWidth: -1 } }, 'invalid_request'],
  ] as const) {
    it(`is refused with a code for ${what}, and no session starts`, async () => {
      const refused = await call(data);
      assert.deepEqual([refused.status, refused.body.data.code], [400, code]);
      assert.equal(await viewersLeft(), 0);
    });
  }

  it('is told when to retry while the media engine is unavailable', async () => {
    app.engine.crash();
    const { status, headers, body } = await call();
    assert.deepEqual([status, body.data.code, headers.get('retry-after')], [503, 'engine_unavailable', '5']);
  });

  it('can open one websocket with its grant', async () => {
    const answer = await call();
    await attach(answer);
    assert.equal((await attach(answer)).answer.code, 'grant_spent');
    const { urls, jwt } = answer.body.data;
    assert.equal((await refusedUpgrade(`${urls[0]}?token=${jwt}`)).body.data.code, 'grant_spent');
  });

  it('cannot attach to a session that was not started', async () => {
    const { body } = await askDirector(app, 'subscribe', await app.token('subscribe'));
    const client = await openWithoutGrant();
    assert.equal((await client.command('attach', { grant: body.data.jwt })).code, 'grant_spent');
  });

  it('ends with its websocket', async () => {
    const { client } = await attach(await call());
    client.socket.close();
    await until('its media is closed', () => !app.engine.has(media[0]!));
  });

  it('receives on its websocket the reason why it was stopped before', async () => {
    const scope = { accountId: 'main', kind: 'subscribe' } as const;
    const streams = [{ streamName: 'main', isRegex: false }];
    const { id, token } = await app.server.tokens.create(scope, { label: '', streams });
    const answer = await call({}, token);
    await app.server.tokens.update(scope, id, { isActive: false });
    assert.equal(app.engine.has(media[0]!), false);
    const client = await openWithoutGrant();
    client.socket.send(
      JSON.stringify({ type: 'cmd', transId: 0, name: 'attach', data: { grant: answer.body.data.jwt } }),
    );
    assert.equal((await client.event('stopped')).data.code, 'token_disabled');
    assert.deepEqual(await client.closed, { code: 4010, reason: 'token_disabled' });
  });

  it('receives on its websocket that its media was lost before', async () => {
    const answer = await call();
    app.engine.loseSession(media[0]!);
    const client = await openSocket(answer);
    assert.equal((await client.closed).reason, 'transport_lost');
    assert.deepEqual(client.events(), ['viewercount', 'stopped'].slice(-1));
  });

  it('ends when the server stops, with and without its websocket', async () => {
    await call();
    const { client } = await attach(await call());
    await app.server.close();
    assert.equal((await client.closed).code, 1012);
    assert.deepEqual(
      media.map((id) => app.engine.has(id)),
      [false, false],
    );
  });

  // If the server did not notice the closed connection, the session would last longer than this.
  it('leaves no session behind when it closes its connection before the answer', { timeout: 12_000 }, async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const { view: original } = app.engine;
    app.engine.view = async (...args) => {
      onAsked();
      await mayAnswer;
      return original.apply(app.engine, args);
    };
    const body = JSON.stringify({ ...STREAM, token: await app.token('subscribe'), view: { sdp: sdpOffer() } });
    const headers = { 'content-type': 'text/plain;charset=UTF-8', 'content-length': Buffer.byteLength(body) };
    const { port } = app;
    const req = request({ port, host: '127.0.0.1', path: '/api/director/subscribe', method: 'POST', headers });
    req.on('error', () => {});
    req.end(body);
    await asked;
    req.destroy();
    await new Promise((resolve) => req.once('close', resolve));
    // The server reads the end of that connection before these requests.
    for (let times = 0; times < 3; times++) await fetch(`${app.origin}/healthz`);
    answer();
    await until('the session ended', () => app.log.text.includes('session ended'));
    assert.equal(await viewersLeft(), 0);
  });

  it('ends when no websocket comes within 15 seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await call();
    t.mock.timers.tick(14_999);
    assert.equal(app.engine.has(media[0]!), true);
    t.mock.timers.tick(1);
    assert.equal(app.engine.has(media[0]!), false);
  });

  it('lasts as long as its websocket', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    await attach(await call());
    t.mock.timers.tick(60_000);
    assert.equal(app.engine.has(media[0]!), true);
  });
});

describe('PendingSessions', () => {
  const NOW = Date.parse('2030-01-01T00:00:00Z');
  const opened = () => {
    const server = new OpenedSessions();
    const ledger = new GrantLedger();
    const rooms: string[] = [];
    const pending = new PendingSessions({
      sessions: server.sessions,
      unconnected: { requireRoom: (address) => void rooms.push(address) },
      ledger,
      resumeTokens: new ResumeTokens(createSecretKey(Buffer.alloc(32, 7))),
      now: () => NOW,
    });
    const start = (caller = { requestId: 'r1', isGone: () => false }, sdp = sdpOffer()) =>
      pending.start(aGrant(), { sdp }, caller);
    return { server, ledger, rooms, pending, start };
  };

  it('spends the grant for as long as it is good, where its network has room', async () => {
    const { ledger, rooms, start } = opened();
    await start();
    const { sessionId, address } = aGrant();
    assert.deepEqual(rooms, [address]);
    assert.equal(ledger.spend(sessionId, 0, NOW + 59_999), false);
    assert.equal(ledger.spend(sessionId, 0, NOW + 60_000), true);
  });

  it('has a session that waits for its websocket, once', async () => {
    const { server, pending, start } = opened();
    assert.equal(pending.canStart(aGrant()), true);
    const { events, subscriberId } = await start();
    assert.deepEqual([events.map(({ name }) => name), subscriberId], [['viewercount'], aGrant().sessionId]);
    const taken = pending.take(aGrant().sessionId);
    assert.equal(taken?.session, server.sessions.find(aGrant().sessionId));
    assert.equal(pending.take(aGrant().sessionId), undefined);
  });

  it('ends a session whose websocket does not come within fifteen seconds, and forgets it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { server, pending, start } = opened();
    await start();
    t.mock.timers.tick(15_000);
    assert.deepEqual([server.sessions.count, pending.take(aGrant().sessionId)], [0, undefined]);
  });

  it('ends the session of a client that is gone, or whose media cannot be connected', async () => {
    for (const [caller, sdp] of [[{ requestId: 'r1', isGone: () => true }], [undefined, 'no offer']] as const) {
      const { server, pending, start } = opened();
      await start(caller, sdp).catch((error: unknown) => assert.ok(error instanceof ApiError));
      assert.deepEqual([server.sessions.count, pending.take(aGrant().sessionId)], [0, undefined]);
    }
  });

  it('answers with the reason for which the session was stopped before it had its media', async () => {
    const { server, start } = opened();
    const starting = start();
    server.sessions.find(aGrant().sessionId)?.refuse('token_expired');
    await assert.rejects(starting, { status: 401, code: 'token_expired' });
    const last = opened();
    last.server.sessions.on('connected', (session) => session.stop('displaced'));
    await assert.rejects(last.start(), { status: 401, code: 'displaced' });
  });
});
