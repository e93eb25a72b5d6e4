import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askAgainInMs, readAnnouncement } from '../../../src/pages/scheduled/announcement-feed.js';

const stream = {
  accountId: 'acme',
  streamName: 'main',
  title: 'Keynote',
  description: null,
  startsOn: '2026-12-05T19:00:00.000Z',
  endsOn: null,
  state: 'scheduled',
  now: '2026-12-05T18:00:00.000Z',
};
const answering = (status: number, body: unknown) => async () => new Response(JSON.stringify(body), { status });

describe('what the page of a scheduled stream asks the server', () => {
  it('reads the stream', async () => {
    const asked: string[] = [];
    const answer = await readAnnouncement('a b', async (input) => {
      asked.push(String(input));
      return new Response(JSON.stringify({ status: 'success', data: stream }));
    });
    assert.deepEqual(answer, { name: 'known', stream });
    assert.deepEqual(asked, ['/api/scheduled_stream/a%20b']);
  });

  it('knows an answer that there is no such stream from a fault', async () => {
    for (const [status, name] of [
      [404, 'missing'],
      [400, 'missing'],
      [503, 'lost'],
      [502, 'lost'],
      [429, 'lost'],
    ] as const) {
      assert.deepEqual(await readAnnouncement('a', answering(status, { status: 'fail' })), { name }, String(status));
    }
    assert.deepEqual(await readAnnouncement('a', answering(200, 'a captive portal')), { name: 'lost' });
    assert.deepEqual(await readAnnouncement('a', () => Promise.reject(new TypeError('offline'))), { name: 'lost' });
  });

  it('asks about twice a minute, never all pages at once', () => {
    assert.deepEqual([askAgainInMs(0, 0), askAgainInMs(0, 1)], [22_500, 37_500]);
  });

  it('asks a server that is away less and less often, up to once a minute or so', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 50].map((losses) => askAgainInMs(losses, 0.5));
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });
});
