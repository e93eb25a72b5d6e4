import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management.js';
import type { RecordingBody } from '../../../../src/wire/management/recording.js';
import { RecordingsState, type RecordingsView } from '../../../../src/pages/dashboard/recordings/recordings-state.js';

const settings = { isAvailable: true, retentionDays: null, quotaBytes: null, usedBytes: 0, recordings: 0 };
const RECORDING: RecordingBody = {
  id: 'r1',
  kind: 'broadcast',
  streamName: 'keynote',
  sourceId: null,
  tokenId: 7,
  state: 'finishing',
  fault: 'finish_failed',
  startedOn: '2026-11-20T18:00:00.000Z',
  endedOn: '2026-11-20T19:00:00.000Z',
  durationSeconds: 3_600,
  bytes: 1,
  videoCodec: 'h264',
  audioCodec: 'opus',
  width: 1_280,
  height: 720,
  container: null,
  hasRewind: true,
  expiresOn: null,
};
const answer = (data: object, rest: object = {}) =>
  new Response(JSON.stringify({ status: 'success', data, ...rest }), { status: 200 });

describe('the state of the page of recordings', () => {
  let calls: string[];
  let views: RecordingsView[];
  let state: RecordingsState;
  let total: number;
  let isAway: boolean;

  beforeEach(() => {
    [calls, views, total, isAway] = [[], [], 0, false];
    const client = new ManagementClient({
      endpoint: 'https://live.test',
      secret: 'x',
      fetch: async (input, init) => {
        if (isAway) throw new TypeError('away');
        const url = new URL(String(input));
        calls.push(`${init?.method} ${url.pathname}${url.search}`);
        if (url.pathname === '/api/account/recording') return answer(settings);
        if (init?.method === 'DELETE') return new Response('{"status":"success","data":true}');
        if (/\/(?:finish|clips)$/.test(url.pathname)) return answer(RECORDING);
        const page = Number(url.searchParams.get('page'));
        return answer([], { total, page, itemsOnPage: 20 });
      },
    });
    state = new RecordingsState({ client, onChange: (view) => views.push(view) });
  });

  const shown = () => {
    const view = views.at(-1)!;
    assert.equal(view.name, 'ready');
    return view;
  };

  it('asks for the stream and the state of the filter, from the first page on', async () => {
    total = 100;
    await state.load(3);
    await state.filter({ streamName: 'key note', state: 'ready' });
    assert.ok(calls.includes('GET /api/recordings?streamName=key+note&state=ready&page=1&itemsOnPage=20'));
    assert.deepEqual([shown().page, shown().filter.streamName], [1, 'key note']);
  });

  it('turns to the last page if there are fewer now', async () => {
    total = 21;
    await state.load(7);
    assert.deepEqual([shown().page, shown().pages], [2, 2]);
  });

  it('reads the list again after a change', async () => {
    await state.remove('r1');
    assert.deepEqual(calls[0], 'DELETE /api/recordings/r1');
    assert.deepEqual(shown().recordings, []);
  });

  it('has the file of a recording made now, and reads the list again', async () => {
    await state.finish('r1');
    assert.deepEqual(calls[0], 'POST /api/recordings/r1/finish');
    assert.deepEqual(shown().recordings, []);
  });

  it('cuts a clip, and shows the first page, where it will be', async () => {
    total = 100;
    await state.load(3);
    await state.cut('r1', { startSeconds: 10, seconds: 5 });
    assert.ok(calls.includes('POST /api/recordings/r1/clips'));
    assert.equal(shown().page, 1);
  });

  it('keeps the list while the server cannot be reached, and says so', async () => {
    await state.load();
    isAway = true;
    await state.load();
    assert.equal(shown().isStale, true);
  });

  it('is unreachable if the list was never read', async () => {
    isAway = true;
    await state.load();
    assert.deepEqual(views, [{ name: 'unreachable' }]);
  });
});
