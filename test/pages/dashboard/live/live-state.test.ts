import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management/management-client.js';
import { LiveState, type LiveView } from '../../../../src/pages/dashboard/live/live-state.js';

type Json = Record<string, unknown>;

const STREAM = {
  streamName: 'keynote',
  liveSince: '2030-01-01T00:00:00Z',
  viewers: 1,
  viewersOverTime: [],
  sources: [],
};
const session = (id: string, role: string): Json => ({
  id,
  streamName: 'keynote',
  role,
  protocol: 'websocket',
  tokenId: 1,
  address: '192.0.2.1',
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
});

describe('LiveState', () => {
  let asked: string[];
  let views: LiveView[];
  let isAway: boolean;
  let streams: Json[];
  let state: LiveState;

  beforeEach(() => {
    [asked, views, isAway, streams] = [[], [], false, [STREAM]];
    const answer: typeof fetch = async (input, init) => {
      const { pathname, search } = new URL(String(input));
      asked.push(`${init?.method} ${pathname}${search}`);
      if (isAway) throw new TypeError('no connection');
      if (pathname === '/api/live') return Response.json({ status: 'success', data: streams });
      if (pathname.endsWith('/sessions')) {
        const data = [session('1', 'publisher'), session('2', 'viewer')];
        return Response.json({ status: 'success', data, next: null });
      }
      if (pathname === '/api/stream/stop')
        return Response.json({ status: 'success', data: { stoppingLevel: 'Stream' } });
      return Response.json({ status: 'success', data: { stopped: true } });
    };
    const client = new ManagementClient({ endpoint: 'https://live.example', fetch: answer });
    state = new LiveState({ client, accountId: 'main', onChange: (view) => views.push(view), now: () => 7 });
  });
  const last = () => {
    const view = views.at(-1);
    assert.equal(view?.name, 'ready');
    return view;
  };

  it('shows what is live, and asks for viewers only of the chosen stream', async () => {
    await state.load();
    assert.deepEqual([last().streams.length, last().viewers, last().readOn], [1, undefined, 7]);
    await state.select('keynote');
    assert.deepEqual(
      last().viewers?.sessions.map(({ id }) => id),
      ['2'],
    );
    assert.deepEqual(asked.slice(1), ['GET /api/live', 'GET /api/streams/keynote/sessions?state=open&itemsOnPage=100']);
    await state.select(undefined);
    assert.equal(last().viewers, undefined);
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

  it('shows nothing that arrives after it stopped', async () => {
    const reading = state.load();
    state.stop();
    await reading;
    assert.deepEqual(views, []);
  });
});
