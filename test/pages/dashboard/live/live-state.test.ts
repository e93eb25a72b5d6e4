import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management/management-client.js';
import { isBlockable, type BlockableSession } from '../../../../src/pages/dashboard/live/block-question.js';
import { LiveState, type LiveView } from '../../../../src/pages/dashboard/live/live-state.js';
import { sessionBody } from '../../../../src/wire/management/session.js';
import { tokenBody } from '../../../support/token-body.js';

type Json = Record<string, unknown>;

const STREAM = {
  streamName: 'keynote',
  liveSince: '2030-01-01T00:00:00Z',
  viewers: 1,
  viewersOverTime: [],
  sources: [],
};
const session = (id: string, role: string, address: string | null = '192.0.2.1'): Json => ({
  id,
  streamName: 'keynote',
  role,
  protocol: 'websocket',
  tokenId: 1,
  address,
  country: null,
  origin: null,
  openedOn: '2030-01-01T00:00:00Z',
  connectedOn: null,
  firstMediaOn: null,
  lastSeenOn: '2030-01-01T00:00:00Z',
  endedOn: null,
  reason: null,
  watchedSeconds: 0,
  broadcastSeconds: null,
  reconnects: 0,
  quality: null,
  delivery: null,
});

const LIMITS = { maxSessions: null, maxCalls: null, maxPublishBitrate: 4_000_000, sessions: 1 };

describe('LiveState', () => {
  let asked: string[];
  let views: LiveView[];
  let isAway: boolean;
  let streams: Json[];
  let sessions: Json[];
  let token: Json;
  /** The `next` of every page of sessions. */
  let next: string | null;
  /** The bodies of all changes. */
  let changes: unknown[];
  let state: LiveState;
  let readsLimits: LiveState;

  beforeEach(() => {
    [asked, views, isAway, streams] = [[], [], false, [STREAM]];
    [sessions, next, changes] = [[session('1', 'publisher'), session('2', 'viewer')], null, []];
    token = { ...tokenBody({ id: 1, deniedIpAddresses: ['198.51.100.1'] }) };
    const answer: typeof fetch = async (input, init) => {
      const { pathname, search } = new URL(String(input));
      asked.push(`${init?.method} ${pathname}${search}`);
      if (isAway) throw new TypeError('no connection');
      if (pathname === '/api/live') return Response.json({ status: 'success', data: streams });
      if (pathname.endsWith('/sessions')) {
        return Response.json({ status: 'success', data: sessions, next });
      }
      if (/^\/api\/(publish|subscribe)_token\/1$/.test(pathname)) {
        if (init?.method === 'PUT') changes.push(JSON.parse(String(init.body)));
        return Response.json({ status: 'success', data: token }, { headers: { etag: '"3"' } });
      }
      if (pathname === '/api/account/limits') return Response.json({ status: 'success', data: LIMITS });
      if (pathname === '/api/stream/stop')
        return Response.json({ status: 'success', data: { stoppingLevel: 'Stream' } });
      return Response.json({ status: 'success', data: { stopped: true } });
    };
    const client = new ManagementClient({ endpoint: 'https://live.example', fetch: answer });
    const options = { client, accountId: 'main', onChange: (view: LiveView) => void views.push(view), now: () => 7 };
    state = new LiveState({ ...options, mayReadLimits: false });
    readsLimits = new LiveState({ ...options, mayReadLimits: true });
  });
  const last = () => {
    const view = views.at(-1);
    assert.equal(view?.name, 'ready');
    return view;
  };

  it('shows what is live, and asks for viewers only of the chosen stream', async () => {
    await state.load();
    assert.deepEqual([last().streams.length, last().connections, last().readOn], [1, undefined, 7]);
    await state.select('keynote');
    assert.deepEqual(
      last().connections?.viewers.map(({ id }) => id),
      ['2'],
    );
    assert.deepEqual(asked.slice(1), ['GET /api/live', 'GET /api/streams/keynote/sessions?state=open&itemsOnPage=100']);
    await state.select(undefined);
    assert.equal(last().connections, undefined);
  });

  it('shows the limits of the account to those who may see them', async () => {
    await readsLimits.load();
    assert.deepEqual(last().limits, LIMITS);
    await state.load();
    assert.equal(last().limits, undefined);
    assert.deepEqual(asked, ['GET /api/live', 'GET /api/account/limits', 'GET /api/live']);
  });

  it('shows the publishers of the chosen stream, whom it asks for by their tokens', async () => {
    const source = (sourceId: string | null): Json => ({
      sourceId,
      tokenId: 1,
      liveSince: '2030-01-01T00:00:00Z',
      connected: true,
      tracks: [],
      videoBitrate: 0,
      encodings: [],
      reception: null,
      notices: [],
    });
    const sources = [source(null), source('wide')];
    streams = [{ ...STREAM, sources }];
    await state.select('keynote');
    assert.deepEqual(
      last().connections?.publishers.map(({ id }) => id),
      ['1'],
    );
    assert.deepEqual(asked.slice(2), ['GET /api/streams/keynote/sessions?state=open&tokenId=1']);
  });

  it('asks for no viewers of a stream that has ended', async () => {
    await state.select('keynote');
    streams = [];
    asked = [];
    await state.load();
    assert.deepEqual([asked, last().streams], [['GET /api/live'], []]);
  });

  it('keeps what it has while the server is away', async () => {
    await state.load();
    isAway = true;
    await state.load();
    assert.equal(last().streams.length, 1);
    assert.equal(last().isStale, true);
    isAway = false;
    await state.load();
    assert.equal(last().isStale, false);
  });

  it('shows that the server was away from the beginning', async () => {
    isAway = true;
    await state.load();
    assert.equal(views.at(-1)?.name, 'unreachable');
  });

  it('ends broadcasts and sessions, and reads again', async () => {
    await state.stopStream('keynote');
    await state.stopSession(JSON.parse(JSON.stringify(session('2', 'viewer'))));
    assert.deepEqual(asked, [
      'POST /api/stream/stop',
      'GET /api/live',
      'POST /api/streams/keynote/sessions/2/stop',
      'GET /api/live',
    ]);
  });

  const blockable = (fields: Json): BlockableSession => {
    const parsed = sessionBody.parse({ ...session('2', 'viewer'), ...fields });
    assert.ok(isBlockable(parsed));
    return parsed;
  };

  for (const [role, kind] of [
    ['viewer', 'subscribe'],
    ['publisher', 'publish'],
  ] as const) {
    it(`blocks the address of a ${role} on their token, and reads again`, async () => {
      await state.blockAddress(blockable({ role, address: '2001:db8:1:2::/64' }));
      const path = `/api/${kind}_token/1`;
      assert.deepEqual(asked, [`GET ${path}`, `PUT ${path}`, 'GET /api/live']);
      assert.deepEqual(changes, [{ deniedIpAddresses: ['198.51.100.1', '2001:db8:1:2::/64'] }]);
    });
  }

  it('blocks no address that is unknown, or that came without a token', () => {
    const isPossible = (fields: Json) => isBlockable(sessionBody.parse({ ...session('2', 'viewer'), ...fields }));
    assert.deepEqual([{}, { tokenId: null }, { address: null }].map(isPossible), [true, false, false]);
  });

  it('counts the sessions that a block ends: those from the same address', async () => {
    sessions = ['192.0.2.1', '192.0.2.2', '192.0.2.1', null].map((address) => session('2', 'viewer', address));
    assert.deepEqual(await state.sessionsFrom(blockable({})), { count: 2, isAll: true });
    assert.deepEqual(asked, ['GET /api/streams/keynote/sessions?state=open&tokenId=1']);
    [next, asked] = ['more', []];
    assert.deepEqual(await state.sessionsFrom(blockable({})), { count: 20, isAll: false });
    assert.deepEqual([asked.length, asked[1]?.includes('cursor=more')], [10, true]);
    isAway = true;
    assert.equal(await state.sessionsFrom(blockable({})), undefined);
  });

  it('shows nothing that arrives after it stopped', async () => {
    const reading = state.load();
    state.stop();
    await reading;
    assert.deepEqual(views, []);
  });
});
