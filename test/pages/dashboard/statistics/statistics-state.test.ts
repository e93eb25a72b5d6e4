import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ManagementClient } from '../../../../src/management/management-client.js';
import {
  StatisticsState,
  withZeros,
  type StatisticsView,
} from '../../../../src/pages/dashboard/statistics/statistics-state.js';

const NOW = Date.parse('2030-01-08T12:30:00Z');
const HOUR_MS = 3_600_000;
const SUMS = { viewerSessions: 1, watchedSeconds: 60, publisherSessions: 1, broadcastSeconds: 90 };
const PAGE = { total: 1, page: 1, itemsOnPage: 20, updatedOn: '2030-01-08T12:30:00Z' };

describe('StatisticsState', () => {
  let asked: string[];
  let views: StatisticsView[];
  let state: StatisticsState;

  beforeEach(() => {
    [asked, views] = [[], []];
    const answer: typeof fetch = async (input) => {
      const { pathname, searchParams } = new URL(String(input));
      asked.push(`${pathname} ${searchParams.get('from') ?? ''} ${searchParams.get('interval') ?? ''}`.trim());
      const succeed = (data: unknown, rest: object = {}) => Response.json({ status: 'success', data, ...rest });
      if (pathname === '/api/stats/streams')
        return succeed([{ streamName: 'keynote', peakViewers: 3, ...SUMS, quality: null }], PAGE);
      if (pathname === '/api/stats/tokens') return succeed([], { ...PAGE, total: 0 });
      if (pathname === '/api/stats/streams/keynote') {
        const period = { time: '2030-01-08T11:00:00.000Z', peakViewers: 3, ...SUMS, quality: null };
        return succeed([period], {
          total: { peakViewers: 3, ...SUMS, quality: null },
          worst: null,
          updatedOn: PAGE.updatedOn,
        });
      }
      const next = searchParams.get('cursor') ? null : '1-00000000000000000000000000000001';
      return succeed([], { next });
    };
    const client = new ManagementClient({ endpoint: 'https://live.example', fetch: answer });
    state = new StatisticsState({ client, onChange: (view) => views.push(view), now: () => NOW });
  });
  const last = () => {
    const view = views.at(-1);
    assert.equal(view?.name, 'ready');
    return view;
  };

  it('shows the streams and tokens of the last seven days at first', async () => {
    await state.load();
    assert.deepEqual(asked, [
      '/api/stats/streams 2030-01-01T12:30:00.000Z',
      '/api/stats/tokens 2030-01-01T12:30:00.000Z',
    ]);
    assert.deepEqual([last().streams.length, last().range, last().pages, last().detail], [1, 'week', 1, undefined]);
  });

  it('shows one stream by the hour with its sessions, and more of them', async () => {
    await state.load();
    asked = [];
    await state.load({ streamName: 'keynote' });
    assert.deepEqual(asked, [
      '/api/stats/streams/keynote 2030-01-01T12:30:00.000Z hour',
      '/api/streams/keynote/sessions 2030-01-01T12:30:00.000Z',
    ]);
    const { peaks, next } = last().detail!;
    assert.deepEqual([peaks.length, peaks.filter(({ value }) => value === 3).length], [7 * 24 + 2, 1]);
    assert.notEqual(next, null);
    await state.loadMore();
    assert.equal(last().detail?.next, null);
    await state.loadMore();
    assert.equal(asked.length, 3);
    await state.load();
    assert.equal(last().detail, undefined);
  });

  it('shows a year by the day', async () => {
    await state.load({ range: 'year', streamName: 'keynote' });
    assert.ok(asked.includes('/api/stats/streams/keynote 2029-01-08T12:30:00.000Z day'));
  });
});

it('periods without a session have zero viewers, and the last one has an end', () => {
  assert.deepEqual(
    withZeros([{ time: HOUR_MS, value: 5 }], { from: 10, to: 2 * HOUR_MS + 10, everyMs: HOUR_MS }),
    [0, 5, 0, 0].map((value, hour) => ({ time: hour * HOUR_MS, value })),
  );
});
