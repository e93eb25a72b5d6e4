import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createScheduledStream, scheduleQuery, updateScheduledStream } from '../../../src/wire/management/schedule.js';
import { announcedStream, scheduledStreamId } from '../../../src/wire/scheduled-stream.js';

const fields = (changed: object = {}) => ({
  streamName: 'main',
  title: 'Keynote',
  startsOn: '2026-12-05T20:00:00+01:00',
  ...changed,
});
const accepts = (changed: object) => createScheduledStream.safeParse(fields(changed)).success;

describe('the fields of a scheduled stream', () => {
  it('are stream name, title and start, with an end and a description if there are any', () => {
    for (const changed of [
      {},
      { endsOn: null, description: null },
      { endsOn: '2026-12-05T21:00:00Z', description: 'Two\r\nlines\tand 🎥' },
      { title: 'x'.repeat(128), description: 'x'.repeat(1_000), streamName: 'day/1' },
    ])
      assert.ok(accepts(changed), JSON.stringify(changed));
  });

  it('are refused without a time zone, with control characters, too long, and with unknown names', () => {
    for (const changed of [
      { startsOn: '2026-12-05T20:00:00' },
      { startsOn: 1 },
      { startsOn: null },
      { title: '' },
      { title: 'two\nlines' },
      { title: 'x'.repeat(129) },
      { description: 'a\u0007b' },
      { description: 'a\ud800b' },
      { description: 'x'.repeat(1_001) },
      { id: 'kX3v9sQp0ZbT7mWcY1aRdg' },
      { state: 'live' },
    ])
      assert.ok(!accepts(changed), JSON.stringify(changed));
  });

  it('may be changed one by one, and at least one', () => {
    for (const change of [{ title: 'a' }, { endsOn: null }, { description: null }, { startsOn: fields().startsOn }])
      assert.ok(updateScheduledStream.safeParse(change).success, JSON.stringify(change));
    for (const change of [{}, { title: null }, { streamName: null }])
      assert.ok(!updateScheduledStream.safeParse(change).success, JSON.stringify(change));
  });
});

describe('the query of the schedule', () => {
  it('selects what is over, or what is not, or both', () => {
    const past = (query: object) => scheduleQuery.parse(query).past;
    assert.deepEqual([past({}), past({ past: 'true' }), past({ past: 'false' })], [undefined, true, false]);
    assert.ok(!scheduleQuery.safeParse({ past: '1' }).success);
  });
});

describe('the id of a scheduled stream', () => {
  it('has 22 characters of base64url', () => {
    assert.ok(scheduledStreamId.safeParse('kX3v9sQp0ZbT7mWcY1aRdg').success);
    for (const id of ['', 'x', 'kX3v9sQp0ZbT7mWcY1aRd', 'kX3v9sQp0ZbT7mWcY1aRdgg', 'kX3v9sQp0ZbT7mWcY1aRd/'])
      assert.ok(!scheduledStreamId.safeParse(id).success, id);
  });
});

describe('what everybody may know of a scheduled stream', () => {
  it('may have fields and states of a later server', () => {
    const known = { accountId: 'acme', streamName: 'main', title: 'Keynote', description: null, endsOn: null };
    const times = { startsOn: '2026-12-05T19:00:00.000Z', now: '2026-12-05T18:00:00.000Z' };
    assert.ok(announcedStream.safeParse({ ...known, ...times, state: 'postponed', poster: '/a.png' }).success);
  });
});
