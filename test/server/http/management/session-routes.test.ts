import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';
import { viewing, websocketSessions } from '../../../support/websocket-sessions.js';

type Json = ReturnType<typeof JSON.parse>;
const SESSIONS = '/api/streams/main/sessions';

describe('the sessions of a stream over HTTP', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let secret: string;
  const { publish, view, resume } = websocketSessions(() => app);

  const start = async (env: Record<string, string> = {}) => {
    app = await streamServer(cleanup, env);
    secret = await app.server.secrets.create('main');
  };
  beforeEach(() => start());
  afterEach(() => cleanup.run());

  const get = async (path: string, headers: Record<string, string> = {}) =>
    fetch(app.origin + path, { headers: { authorization: `Bearer ${secret}`, ...headers } });
  const read = async (path: string): Promise<{ status: number; body: Json }> => {
    const response = await get(path);
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const stop = async (id: string): Promise<{ status: number; body: Json }> => {
    const headers = { authorization: `Bearer ${secret}` };
    const response = await fetch(`${app.origin}${SESSIONS}/${id}/stop`, { method: 'POST', headers });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const list = async (query = ''): Promise<Json[]> => (await read(SESSIONS + query)).body.data;
  const until = async <Value>(find: () => Promise<Value | undefined>): Promise<Value> => {
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
    }
  };
  const ended = (role: string) =>
    until(async () => (await list()).find((session) => session.role === role && session.endedOn !== null));

  it('show who publishes and watches, with a timeline until the end', async () => {
    const { publisher } = await publish();
    app.engine.sendFrame('main/main');
    app.clock.now += 1_000;
    const { viewer } = await view();
    await until(async () => (await list()).find(({ firstMediaOn }) => firstMediaOn !== null));
    assert.deepEqual(
      (await list()).map(({ role, protocol, endedOn, reason }) => [role, protocol, endedOn, reason]),
      [
        ['viewer', 'websocket', null, null],
        ['publisher', 'websocket', null, null],
      ],
    );

    app.clock.now += 90_000;
    viewer.socket.close(1000);
    const { id, ...session } = await ended('viewer');
    assert.deepEqual(session, {
      streamName: 'main',
      role: 'viewer',
      protocol: 'websocket',
      tokenId: session.tokenId,
      tokenLabel: session.tokenLabel,
      address: '127.0.0.1',
      country: null,
      origin: null,
      openedOn: '2030-01-01T00:00:01.000Z',
      connectedOn: '2030-01-01T00:00:01.000Z',
      firstMediaOn: '2030-01-01T00:00:01.000Z',
      lastSeenOn: '2030-01-01T00:01:31.000Z',
      endedOn: '2030-01-01T00:01:31.000Z',
      reason: session.reason,
      watchedSeconds: 90,
      broadcastSeconds: null,
      reconnects: 0,
      quality: null,
      delivery: null,
    });
    const { body } = await read(`${SESSIONS}/${id}`);
    assert.deepEqual(
      body.data.events.map(({ name }: { name: string }) => name),
      ['opened', 'media_connected', 'reachable', 'ended'],
    );
    publisher.socket.terminate();
  });

  it('of viewers say what is being sent while they are open', async () => {
    const { publisher } = await publish();
    const { viewer } = await view();
    const deliveryOf = async (role: string) => (await list()).find((session) => session.role === role).delivery;
    const nothing = { encoding: null, spatialLayer: null, temporalLayer: null, width: 0, height: 0, failedSends: 0 };
    assert.deepEqual(await deliveryOf('viewer'), { bitrate: 0, availableBitrate: null, ...nothing });
    assert.equal(await deliveryOf('publisher'), null);
    app.engine.sendFrame('main/main');
    const layer = { encoding: '0', spatialLayer: null, temporalLayer: null, width: 320, height: 180, failedSends: 0 };
    assert.deepEqual(await deliveryOf('viewer'), { bitrate: 500_000, availableBitrate: null, ...layer });
    app.engine.crash();
    assert.equal((await read(SESSIONS)).status, 200);
    publisher.socket.terminate();
    viewer.socket.terminate();
  });

  it('of viewers who resumed say what is being sent', async () => {
    await publish();
    app.engine.sendFrame('main/main');
    const { viewer, answer } = await view();
    viewer.socket.terminate();
    await ended('viewer');
    const again = await resume('sub', answer.resumeToken);
    await again.command('view', viewing);
    const session = (await list()).find(({ role }) => role === 'viewer');
    assert.equal(session.delivery.bitrate, 500_000);
  });

  it('stay one session when the client resumes', async () => {
    const { viewer, answer } = await view();
    viewer.socket.terminate();
    const { id } = await ended('viewer');
    const again = await resume('sub', answer.resumeToken);
    await again.command('view', viewing);
    const [session, ...others] = await list();
    assert.deepEqual([session.id, session.endedOn, session.reconnects, others], [id, null, 1, []]);
  });

  it('end when the owner stops them, with the reason', async () => {
    const { publisher } = await publish();
    app.clock.now += 1;
    const { viewer } = await view();
    const [watching, publishing] = await list();
    assert.deepEqual(await stop(watching.id), { status: 200, body: { status: 'success', data: { stopped: true } } });
    assert.equal((await viewer.event('stopped')).data.code, 'removed_by_owner');
    assert.equal((await viewer.closed).code, 4007);
    assert.equal((await ended('viewer')).reason, 'removed_by_owner');
    assert.deepEqual((await stop(watching.id)).body.data, { stopped: false });

    assert.deepEqual((await stop(publishing.id)).body.data, { stopped: true });
    assert.equal((await publisher.event('stopped')).data.code, 'stopped_by_owner');

    const unknown = await stop('0'.repeat(32));
    assert.deepEqual([unknown.status, unknown.body.data.code], [404, 'session_not_found']);
  });

  it('end when the owner stops them after the client resumed', async () => {
    const { viewer, answer } = await view();
    viewer.socket.terminate();
    const { id } = await ended('viewer');
    const again = await resume('sub', answer.resumeToken);
    await again.command('view', viewing);
    assert.deepEqual((await stop(id)).body.data, { stopped: true });
    assert.equal((await again.event('stopped')).data.code, 'removed_by_owner');
  });

  it('are shown by page, time, token and reason, and as CSV', async () => {
    await publish();
    app.clock.now += 1_000;
    await view();
    const first = (await read(`${SESSIONS}?itemsOnPage=1`)).body;
    const second = (await read(`${SESSIONS}?itemsOnPage=1&cursor=${first.next}`)).body;
    assert.deepEqual([first.data[0].role, second.data[0].role, second.next], ['viewer', 'publisher', null]);
    const { tokenId } = second.data[0];
    const roles = async (query: string) => (await list(query)).map(({ role }) => role);
    assert.deepEqual(await roles(`?tokenId=${tokenId}`), ['publisher']);
    assert.deepEqual(await roles('?from=2030-01-01T00:00:01Z'), ['viewer']);
    assert.deepEqual(await roles('?to=2030-01-01T01:00:01%2B01:00'), ['publisher']);
    assert.deepEqual(await roles('?reason=left'), []);

    const csv = await get(`${SESSIONS}?itemsOnPage=1`, { accept: 'text/csv' });
    const lines = (await csv.text()).split('\r\n');
    assert.match(csv.headers.get('content-type')!, /^text\/csv/);
    assert.match(lines[0]!, /^id,streamName,role,/);
    assert.match(lines[1]!, /^[0-9a-f]{32},main,viewer,websocket,/);
    assert.equal(lines.length, 3);
    const next = /^<(.+)>; rel="next"$/.exec(csv.headers.get('link')!)![1]!;
    assert.deepEqual((await read(next)).body, second);
  });

  it('are those of the account alone', async () => {
    await publish();
    const [session] = await list();
    await app.server.accounts.create('other');
    secret = await app.server.secrets.create('other');
    assert.deepEqual(await list(), []);
    const { status, body } = await read(`${SESSIONS}/${session.id}`);
    assert.deepEqual([status, body.data.code], [404, 'session_not_found']);
    assert.equal((await get(SESSIONS, { authorization: 'Bearer wrong' })).status, 401);
    assert.equal((await fetch(app.origin + SESSIONS)).status, 401);
  });

  it('are refused for queries that are not valid', async () => {
    for (const query of ['from=yesterday', 'cursor=x', 'itemsOnPage=101', 'reason=%00', 'accountId=other', 'page=1']) {
      const { status, body } = await read(`${SESSIONS}?${query}`);
      assert.deepEqual([status, body.data.code], [400, 'invalid_request'], query);
    }
    assert.equal((await read(`${SESSIONS}/nothing`)).status, 400);
  });

  it('have names with slashes, escaped', async () => {
    assert.deepEqual((await read('/api/streams/a%2Fb/sessions')).body, { status: 'success', data: [], next: null });
  });

  it('are not recorded with SESSIONS_KEPT_DAYS=0', async () => {
    await start({ SESSIONS_KEPT_DAYS: '0' });
    await publish();
    assert.deepEqual(await list(), []);
  });
});
