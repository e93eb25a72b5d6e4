import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { clusterNode, clusterProcess } from '../../../support/cluster.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { until } from '../../../support/media/until.js';
import { suitePostgres } from '../../../support/suite-postgres.js';
import { askDirector, openSocket, refusedUpgrade, type TestServer } from '../../../support/stream-server.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

const stream = 'main/main';

describe('a server that stops beside another one on its PostgreSQL', () => {
  const cleanup = new Cleanup();
  const postgres = suitePostgres();
  afterEach(() => cleanup.run());

  const two = async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const b = await clusterNode(cleanup, databaseUrl);
    const a = await clusterNode(cleanup, databaseUrl);
    const tokens = { publish: await a.token('publish'), subscribe: await a.token('subscribe') };
    await until('the servers know each other', () => a.log.text.includes('another server is on the database'));
    return { a, b, tokens };
  };
  /** Begins to stop the server. Resolves when it opens no new sessions. */
  const stopping = async ({ server, origin }: TestServer) => {
    const closing = new AbortController();
    const drained = server.drain(closing.signal);
    cleanup.after(async () => {
      closing.abort();
      await drained;
    });
    const readiness = await fetch(`${origin}/readyz`);
    const { data } = JSON.parse(await readiness.text());
    return {
      drained,
      readiness: {
        status: readiness.status,
        ready: data.ready,
        code: data.code,
        retries: retriesAfter(readiness.headers),
      },
    };
  };
  const retriesAfter = (headers: Headers) => Number(headers.get('retry-after')) > 0;

  it('is not ready, and refuses every new session with 503 and Retry-After', async () => {
    const { a, tokens } = await two();
    const early = await askDirector(a, 'subscribe', tokens.subscribe);
    await websocketSessions(() => a).view({}, tokens.subscribe);
    const { readiness } = await stopping(a);
    assert.deepEqual(readiness, { status: 503, ready: false, code: 'server_stopping', retries: true });
    assert.equal((await fetch(`${a.origin}/healthz`)).status, 503);

    for (const call of ['publish', 'subscribe'] as const) {
      const { status, body, headers } = await askDirector(a, call, tokens[call]);
      assert.deepEqual([status, body.data.code, retriesAfter(headers)], [503, 'server_stopping', true], call);
    }
    for (const [path, token] of [
      ['whip/main', tokens.publish],
      ['whep/main/main', tokens.subscribe],
    ] as const) {
      const { status, headers } = await fetch(`${a.origin}/api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' },
        body: sdpOffer(path.startsWith('whip') ? { direction: 'sendonly' } : {}),
      });
      assert.deepEqual([status, retriesAfter(headers)], [503, true], path);
    }
    const upgrade = await refusedUpgrade(`${early.body.data.urls[0]}?token=${early.body.data.jwt}`);
    assert.deepEqual([upgrade.status, upgrade.body.data.code], [503, 'server_stopping']);
  });

  it('gives its streams to the other one, and sends their viewers after them', async () => {
    const { a, b, tokens } = await two();
    const { publisher } = await websocketSessions(() => a).publish({}, {}, tokens.publish);
    a.engine.sendFrame(stream);
    const { viewer } = await websocketSessions(() => a).view({}, tokens.subscribe);
    const { drained } = await stopping(a);
    assert.equal((await publisher.event('stopped')).data.code, 'server_stopping');
    // The other server may know of the end before the name is free for all, or not yet have known of the broadcast.
    const publishThere = () => websocketSessions(() => b).publish({}, {}, tokens.publish);
    await until('the name is free', () =>
      publishThere().then(
        () => true,
        () => false,
      ),
    );
    b.engine.sendFrame(stream);
    await viewer.event('migrate');

    const answer = await askDirector(a, 'subscribe', tokens.subscribe);
    assert.ok(answer.body.data.urls[0].startsWith(`ws://127.0.0.1:${b.port}/`), 'the way to the other server is open');
    const moved = await openSocket(answer);
    assert.equal((await moved.command('view', { streamId: 'main', sdp: sdpOffer() })).type, 'response');
    viewer.socket.close();
    await drained;
  });

  it('stops at once if there is no other', async () => {
    const alone = await clusterNode(cleanup, await postgres.migratedDatabase());
    await websocketSessions(() => alone).view();
    await alone.server.drain(new AbortController().signal);
    assert.equal((await askDirector(alone, 'subscribe', await alone.token('subscribe'))).status, 200);
  });

  it('does so on SIGTERM, and ends when its clients are gone or its time is over', async () => {
    const databaseUrl = await postgres.migratedDatabase();
    const [stays, stops, waits] = await Promise.all([
      clusterProcess(databaseUrl),
      clusterProcess(databaseUrl, { DRAIN_WITHIN_S: '600' }),
      clusterProcess(databaseUrl, { DRAIN_WITHIN_S: '1' }),
    ]);
    for (const server of [stays, stops, waits]) cleanup.after(() => server.stop());
    const token = String((await stays.cli('token', 'create', 'subscribe', '--stream', 'main'))['token']);
    const viewOn = async (server: { origin: string }) => {
      const viewer = await openSocket(await askDirector(server, 'subscribe', token));
      await viewer.command('view', { streamId: 'main', sdp: sdpOffer(), events: ['migrate', 'stopped'] });
      return viewer;
    };
    const [leaves, ignores] = [await viewOn(stops), await viewOn(waits)];
    for (const { pid } of [stops, waits]) process.kill(pid, 'SIGTERM');
    const isGone = async ({ origin }: { origin: string }) => (await fetch(origin).catch(() => undefined)) === undefined;
    await leaves.event('migrate');
    assert.equal((await askDirector(stops, 'subscribe', token)).status, 503);
    leaves.socket.close();
    await until('it has ended', () => isGone(stops));

    await ignores.event('migrate');
    assert.equal((await ignores.event('stopped')).data.code, 'server_stopping');
    await until('it has ended too', () => isGone(waits));
    assert.equal((await askDirector(stays, 'subscribe', token)).status, 200);
  });
});
