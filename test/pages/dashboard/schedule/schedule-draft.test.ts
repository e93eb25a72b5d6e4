import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changeOf,
  creationOf,
  faultsOf,
  formOf,
  keptSchedule,
  newForm,
  readScheduleForm,
  type ScheduleDraft,
} from '../../../../src/pages/dashboard/schedule/schedule-draft.js';
import { createScheduledStream, updateScheduledStream } from '../../../../src/wire/management/schedule.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-12-05T19:20:30.400Z');

const aDraft = (fields: Partial<ScheduleDraft> = {}): ScheduleDraft => ({
  title: 'Keynote',
  streamName: 'main',
  start: '2026-12-05T20:00',
  end: '',
  description: '',
  ...fields,
});
const aStream = {
  id: 'kX3v9sQp0ZbT7mWcY1aRdg',
  streamName: 'main',
  title: 'Keynote',
  description: 'Two\nlines',
  startsOn: '2026-12-05T19:20:30.400Z',
  endsOn: '2026-12-05T20:00:15.000Z',
  state: 'scheduled',
  path: '/scheduled/kX3v9sQp0ZbT7mWcY1aRdg',
  createdOn: '2026-11-20T13:00:00.000Z',
  updatedOn: '2026-11-20T13:00:00.000Z',
};
const edited = (fields: Partial<ScheduleDraft>) => {
  const form = formOf(aStream);
  return changeOf({ ...form, draft: { ...form.draft, ...fields } });
};

describe('the form of a scheduled stream', () => {
  it('begins with tomorrow, at a full hour', () => {
    const start = new Date(newForm(NOW).draft.start).getTime();
    assert.equal(start % HOUR, 0);
    assert.ok(start - NOW >= 24 * HOUR && start - NOW < 25 * HOUR);
  });

  it('has the times in the time zone of the person', () => {
    const { start, end, description } = formOf(aStream).draft;
    assert.equal(new Date(start).toISOString(), '2026-12-05T19:20:00.000Z');
    assert.equal(new Date(end).toISOString(), '2026-12-05T20:00:00.000Z');
    assert.equal(description, 'Two\nlines');
  });

  it('creates what the server accepts, without empty fields and spaces around', () => {
    const start = new Date('2026-12-05T20:00').toISOString();
    const least = creationOf(aDraft({ title: ' Keynote ', description: ' \n' }));
    assert.deepEqual(least, { title: 'Keynote', streamName: 'main', startsOn: start });
    const most = creationOf(aDraft({ end: '2026-12-05T21:00', description: ' a\nb ' }));
    const end = new Date('2026-12-05T21:00').toISOString();
    assert.deepEqual(most, { ...least, endsOn: end, description: 'a\nb' });
    for (const fields of [least, most]) assert.ok(createScheduledStream.safeParse(fields).success);
  });

  it('changes only what the person has changed, so that times keep their seconds', () => {
    assert.deepEqual(edited({}), {});
    assert.deepEqual(edited({ title: 'New' }), { title: 'New' });
    assert.deepEqual(edited({ end: '', description: '' }), { endsOn: null, description: null });
    const start = edited({ start: '2026-12-05T20:00' });
    assert.deepEqual(start, { startsOn: new Date('2026-12-05T20:00').toISOString() });
    assert.ok(updateScheduledStream.safeParse(start).success);
  });

  for (const [what, fields, faults] of [
    ['is complete with title, stream name and start', {}, []],
    ['has an end up to seven days after the start', { end: '2026-12-12T20:00' }, []],
    ['needs a title', { title: ' ' }, ['title']],
    ['needs a title of at most 128 characters', { title: 'x'.repeat(129) }, ['title']],
    ['needs a stream name', { streamName: '' }, ['streamName']],
    ['needs a start', { start: '' }, ['start']],
    ['has no end at the start', { end: '2026-12-05T20:00' }, ['end']],
    ['has no end more than seven days after the start', { end: '2026-12-12T20:01' }, ['end']],
    ['has a description of at most 1,000 characters', { description: 'x'.repeat(1_001) }, ['description']],
  ] as const) {
    it(what, () => assert.deepEqual([...faultsOf(aDraft(fields))], faults));
  }

  it('comes back with the same text after it was kept', () => {
    const stored = (form: object): unknown => JSON.parse(JSON.stringify(form));
    const form = formOf(aStream);
    const changed = { ...form, draft: { ...form.draft, title: '🎥 <b>' } };
    assert.deepEqual(readScheduleForm(stored(keptSchedule(changed))), changed);
    const fresh = newForm(NOW);
    assert.deepEqual(readScheduleForm(stored(keptSchedule(fresh))), fresh);
  });

  it('is none if nothing or something else was kept', () => {
    for (const kept of [undefined, null, 'x', {}, { kind: 'publish', draft: {} }, { scheduled: { draft: {} } }]) {
      assert.equal(readScheduleForm(kept), undefined);
    }
  });
});
