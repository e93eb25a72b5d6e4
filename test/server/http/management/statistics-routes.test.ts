import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Cleanup } from '../../../support/cleanup.js';
import { streamServer, type TestServer } from '../../../support/stream-server.js';
import { websocketSessions } from '../../../support/websocket-sessions.js';

type Json = ReturnType<typeof JSON.parse>;
const HOUR_MS = 3_600_000;

describe('the statistics over HTTP', () => {
  const cleanup = new Cleanup();
  let app: TestServer;
  let secret: string;
  const { publish, view } = websocketSessions(() => app);

  const start = async (env: Record<string, string> = {}) => {
    app = await streamServer(cleanup, env);
    secret = await app.server.secrets.create('main');
  };
  beforeEach(() => start());
  afterEach(() => cleanup.run());

  const get = async (path: string, headers: Record<string, string> = {}) =>
    fetch(`${app.origin}/api/${path}`, { headers: { authorization: `Bearer ${secret}`, ...headers } });
  const read = async (path: string): Promise<Json> => JSON.parse(await (await get(path)).text());
  const sessions = async (): Promise<Json[]> => (await read('streams/main/sessions')).data;
  const until = async (holds: (sessions: Json[]) => boolean) => {
    while (!holds(await sessions()));
  };

  /** A broadcast of 90 s, which one viewer watches for the last 60 s. */
  const broadcast = async () => {
    const { publisher } = await publish();
    app.engine.sendFrame('main/main');
    await until(([publishing]) => publishing?.firstMediaOn !== null);
    app.clock.now += 30_000;
    const { viewer } = await view();
    await until(([watching]) => watching.role === 'viewer' && watching.firstMediaOn !== null);
    app.clock.now += 60_000;
    for (const { socket } of [viewer, publisher]) socket.close(1000);
    await until((all) => all.every(({ endedOn }) => endedOn !== null));
    // Later than the last sums, so that the next call makes new ones.
    app.clock.now += 10_000;
  };
  const SUMS = { viewerSessions: 1, watchedSeconds: 60, publisherSessions: 1, broadcastSeconds: 90 };

  it('show the viewers and hours of each stream, over time and in all', async () => {
    await broadcast();
    const main = { peakViewers: 1, ...SUMS, quality: null };
    const updatedOn = '2030-01-01T00:01:40.000Z';
    assert.deepEqual(await read('stats/streams'), {
      status: 'success',
      data: [{ streamName: 'main', ...main }],
      total: 1,
      page: 1,
      itemsOnPage: 100,
      updatedOn,
    });
    for (const interval of ['hour', 'day']) {
      assert.deepEqual(await read(`stats/streams/main?interval=${interval}`), {
        status: 'success',
        data: [{ time: '2030-01-01T00:00:00.000Z', ...main }],
        total: main,
        worst: null,
        updatedOn,
      });
    }
    assert.deepEqual((await read('stats/streams/other')).data, []);
  });

  it('show a session that is open', async () => {
    await publish();
    app.clock.now += 10_000;
    assert.equal((await read('stats/streams')).data[0].publisherSessions, 1);
  });

  it('show the hours of a month', async () => {
    await broadcast();
    const day = { time: '2030-01-01T00:00:00.000Z', streams: 1, ...SUMS };
    const { data, month, total } = await read('stats/usage');
    assert.deepEqual([data, month, total], [[day], '2030-01', SUMS]);
    assert.deepEqual((await read('stats/usage?month=2029-12')).data, []);
  });

  it('show how each token was used, and from where', async () => {
    await broadcast();
    const { data } = await read('stats/tokens');
    const [publishing, watching] = data;
    assert.deepEqual(
      [publishing.kind, publishing.broadcastSeconds, publishing.watchedSeconds, watching.kind, watching.watchedSeconds],
      ['publish', 90, null, 'subscribe', 60],
    );
    assert.deepEqual((await read(`stats/tokens/${watching.tokenId}`)).data, {
      ...watching,
      firstUsedOn: '2030-01-01T00:00:30.000Z',
      lastUsedOn: '2030-01-01T00:01:30.000Z',
      addressCount: 1,
      addresses: [{ address: '127.0.0.1', sessions: 1, lastUsedOn: '2030-01-01T00:01:30.000Z' }],
    });
  });

  it('know a token that was not used from one that does not exist', async () => {
    const scope = { accountId: 'main', kind: 'publish' } as const;
    const { id } = await app.server.tokens.create(scope, {
      label: 'unused',
      streams: [{ streamName: 'main', isRegex: false }],
    });
    assert.deepEqual((await read(`stats/tokens/${id}`)).data, {
      tokenId: id,
      tokenLabel: 'unused',
      kind: 'publish',
      sessions: 0,
      watchedSeconds: null,
      broadcastSeconds: null,
      firstUsedOn: null,
      lastUsedOn: null,
      addressCount: 0,
      addresses: [],
    });
    const unknown = await get('stats/tokens/999');
    assert.deepEqual([unknown.status, JSON.parse(await unknown.text()).data.code], [404, 'token_not_found']);
  });

  it('name no token to who may not read tokens', async () => {
    const scope = { accountId: 'main', kind: 'publish' } as const;
    const { id } = await app.server.tokens.create(scope, { label: 'Ann', streams: [] });
    const created = await fetch(`${app.origin}/api/account/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'figures', scopes: ['streams'] }),
    });
    const { value } = JSON.parse(await created.text()).data;
    const shown = await get(`stats/tokens/${id}`, { authorization: `Bearer ${value}` });
    assert.deepEqual([shown.status, JSON.parse(await shown.text()).data.tokenLabel], [200, null]);
  });

  it('are those of the chosen hours', async () => {
    await broadcast();
    const countOf = async (query: string) => (await read(`stats/streams?${query}`)).total;
    const hour = (number: number) => `2030-01-01T0${number}:00:00Z`;
    assert.deepEqual(
      [
        await countOf(`from=${hour(0)}&to=${hour(1)}`),
        await countOf(`from=2030-01-01T00:59:00Z&to=${hour(3)}`),
        await countOf(`from=${hour(1)}&to=${hour(3)}`),
        await countOf(`to=2029-12-31T23:59:00Z`),
      ],
      [1, 1, 0, 0],
    );
    app.clock.now += 31 * 24 * HOUR_MS;
    assert.equal(await countOf(''), 0);
  });

  it('are a table with Accept: text/csv', async () => {
    await broadcast();
    const table = async (path: string) => (await get(path, { accept: 'text/csv' })).text();
    const header = 'viewerSessions,watchedSeconds,publisherSessions,broadcastSeconds';
    const quality =
      'quality.playedSeconds,quality.freezes,quality.frozenSeconds,quality.firstPictureMedianSeconds,quality.firstPictureP95Seconds,quality.height,quality.roundTripSeconds,quality.loss';
    assert.equal(
      await table('stats/streams'),
      `streamName,peakViewers,${header},${quality}\r\nmain,1,1,60,1,90,,,,,,,,\r\n`,
    );
    assert.equal(await table('stats/usage'), `time,streams,${header}\r\n2030-01-01T00:00:00.000Z,1,1,60,1,90\r\n`);
  });

  it('are those of the account alone', async () => {
    await broadcast();
    await app.server.accounts.create('other');
    secret = await app.server.secrets.create('other');
    assert.deepEqual((await read('stats/streams')).data, []);
    assert.deepEqual((await read('stats/streams/main')).data, []);
    assert.deepEqual((await read('stats/tokens')).data, []);
    assert.deepEqual((await read('stats/usage')).data, []);
    assert.equal((await get('stats/tokens/1')).status, 404);
  });

  for (const query of [
    'streams?from=yesterday',
    'streams?from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z',
    'streams?page=0',
    'streams/main?interval=week',
    'tokens/x',
    'usage?month=2030-13',
    'usage?year=2030',
  ]) {
    it(`are refused for ${query}`, async () => {
      const response = await get(`stats/${query}`);
      assert.deepEqual([response.status, JSON.parse(await response.text()).data.code], [400, 'invalid_request']);
    });
  }

  it('are empty with SESSIONS_KEPT_DAYS=0', async () => {
    await start({ SESSIONS_KEPT_DAYS: '0' });
    await publish();
    assert.deepEqual((await read('stats/streams')).data, []);
  });
});
