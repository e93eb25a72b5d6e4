import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ScheduledStream } from '../../../../server/accounts/schedule/scheduled-stream.js';
import { ScheduleService } from '../../../../server/accounts/schedule/schedule-service.js';
import type { ScheduleStore } from '../../../../server/accounts/schedule/schedule-store.js';
import {
  ConflictError,
  DatabaseUnavailableError,
  InvalidRequestError,
  NotFoundError,
} from '../../../../server/errors.js';
import { aScheduledStream, scheduledIdOf, START } from '../../../support/scheduled-stream.js';

/** One server with a store of its own in memory. */
function service() {
  const saved = new Map<string, ScheduledStream>();
  const state = { now: 0, reads: 0, isAway: false, isFull: false, until: Promise.resolve() };
  const store: ScheduleStore = {
    async add(stream) {
      if (state.isFull) return 'full';
      saved.set(stream.id, stream);
      return 'added';
    },
    async change({ accountId, id }, decide) {
      const before = saved.get(id);
      if (before?.accountId !== accountId) return undefined;
      const after = { ...before, ...decide(before) };
      saved.set(id, after);
      return after;
    },
    remove: async (_account, id) => saved.delete(id),
    async find(id) {
      state.reads += 1;
      await state.until;
      if (state.isAway) throw new DatabaseUnavailableError();
      return saved.get(id);
    },
    list: async () => ({ streams: [...saved.values()], total: saved.size }),
  };
  return { schedule: new ScheduleService(store, () => state.now), saved, state };
}

const FIELDS = { streamName: 'main', title: 'Keynote', startsOn: '2026-12-05T20:00:00+01:00' };
const isNotFound = (error: unknown) => error instanceof NotFoundError && error.code === 'scheduled_stream_not_found';
const hasEndFault = (error: unknown) => error instanceof InvalidRequestError && 'endsOn' in error.errors;

describe('the schedule of an account', () => {
  it('gives each stream an id that cannot be guessed, and that is no option of a command', async () => {
    const { schedule } = service();
    const ids = new Set<string>();
    for (let made = 0; made < 500; made += 1) ids.add((await schedule.create('acme', FIELDS)).id);
    assert.equal(ids.size, 500);
    for (const id of ids) assert.match(id, /^[A-Za-z0-9][\w-]{20}[A-Za-z0-9]$/);
  });

  it('reads times with their time zone', async () => {
    const { schedule } = service();
    const { startsOn, endsOn } = await schedule.create('acme', { ...FIELDS, endsOn: '2026-12-05T20:00:00Z' });
    assert.deepEqual([startsOn, endsOn], [START, START + 3_600_000]);
  });

  it('refuses an end that does not fit the start, at first and after a change of either', async () => {
    const { schedule } = service();
    await assert.rejects(schedule.create('acme', { ...FIELDS, endsOn: FIELDS.startsOn }), hasEndFault);
    const { id } = await schedule.create('acme', { ...FIELDS, endsOn: '2026-12-05T20:00:00Z' });
    await assert.rejects(schedule.update('acme', id, { startsOn: '2026-12-05T20:00:00Z' }), hasEndFault);
    await assert.rejects(schedule.update('acme', id, { endsOn: '2026-12-25T20:00:00Z' }), hasEndFault);
    assert.equal((await schedule.update('acme', id, { endsOn: null })).endsOn, null);
  });

  it('keeps fields that a change does not name, and removes those that are null', async () => {
    const { schedule } = service();
    const made = await schedule.create('acme', { ...FIELDS, description: 'Two\nlines' });
    assert.deepEqual(await schedule.update('acme', made.id, { title: 'New' }), { ...made, title: 'New' });
    assert.equal((await schedule.update('acme', made.id, { description: null })).description, null);
  });

  it('refuses one more when it is full', async () => {
    const { schedule, state } = service();
    state.isFull = true;
    await assert.rejects(
      schedule.create('acme', FIELDS),
      (error: unknown) => error instanceof ConflictError && error.code === 'schedule_full',
    );
  });

  it('shows an account only its own', async () => {
    const { schedule, saved } = service();
    const stream = aScheduledStream({ accountId: 'other' });
    saved.set(stream.id, stream);
    await assert.rejects(schedule.get('acme', stream.id), isNotFound);
    assert.deepEqual(await schedule.get('other', stream.id), stream);
  });

  it('asks the store once in five seconds, however many visitors wait', async () => {
    const { schedule, saved, state } = service();
    const stream = aScheduledStream();
    saved.set(stream.id, stream);
    await Promise.all(Array.from({ length: 100 }, () => schedule.announced(stream.id)));
    assert.equal(state.reads, 1);
    state.now = 5_000;
    assert.deepEqual(await schedule.announced(stream.id), stream);
    assert.equal(state.reads, 2);
  });

  it('remembers that there is no such stream, and asks the store about no other text', async () => {
    const { schedule, state } = service();
    for (const id of [scheduledIdOf(1), scheduledIdOf(1)]) await assert.rejects(schedule.announced(id), isNotFound);
    assert.equal(state.reads, 1);
    for (const id of ['', 'x', '\0'.repeat(22), 'x'.repeat(9_999)]) {
      await assert.rejects(schedule.announced(id), isNotFound);
    }
    assert.equal(state.reads, 1);
  });

  it('is looked up for few ids at once, however many strangers make up', async () => {
    const { schedule, saved, state } = service();
    const waiting = Promise.withResolvers<void>();
    state.until = waiting.promise;
    const asked = Array.from({ length: 1_000 }, (_, index) => schedule.announced(scheduledIdOf(100 + index)));
    const answers = Promise.allSettled(asked);
    const stream = aScheduledStream();
    saved.set(stream.id, stream);
    await assert.rejects(schedule.announced(stream.id), { status: 503, code: 'busy' });
    assert.equal(state.reads, 2);
    waiting.resolve();
    assert.ok((await answers).every(({ status }) => status === 'rejected'));
    assert.deepEqual(await schedule.announced(stream.id), stream);
    assert.ok(state.reads < 250);
  });

  it('shows its own changes at once', async () => {
    const { schedule } = service();
    const { id } = await schedule.create('acme', FIELDS);
    await schedule.announced(id);
    await schedule.update('acme', id, { title: 'New' });
    assert.equal((await schedule.announced(id)).title, 'New');
    await schedule.remove('acme', id);
    await assert.rejects(schedule.announced(id), isNotFound);
  });

  it('asks again after the store was away', async () => {
    const { schedule, saved, state } = service();
    const stream = aScheduledStream();
    saved.set(stream.id, stream);
    state.isAway = true;
    await assert.rejects(schedule.announced(stream.id), DatabaseUnavailableError);
    state.isAway = false;
    assert.deepEqual(await schedule.announced(stream.id), stream);
  });
});
