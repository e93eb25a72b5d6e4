import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ScheduledStream } from '../../../../server/accounts/schedule/scheduled-stream.js';
import type { ScheduleStore } from '../../../../server/accounts/schedule/schedule-store.js';
import type { AuditStore } from '../../../../server/oversight/audit-store.js';
import type { Database } from '../../../../server/store/schema.js';
import { MAX_SCHEDULED_STREAMS, type ScheduleQuery } from '../../../../src/wire/management/schedule.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aScheduledStream, scheduledIdOf, START } from '../../../support/scheduled-stream.js';

export interface ScheduleStores {
  readonly schedule: ScheduleStore;
  readonly audit: AuditStore;
  readonly db: Database;
}

const HOUR = 3_600_000;
const same = <Fields>(fields: Fields): Fields => fields;

/** The contract of ScheduleStore. `open` returns empty stores with the accounts acme and other. */
export function scheduleStoreContract(name: string, open: (cleanup: Cleanup) => Promise<ScheduleStores>): void {
  describe(`${name} as a ScheduleStore`, () => {
    const cleanup = new Cleanup();
    let { schedule, audit, db }: ScheduleStores = {} as ScheduleStores;

    beforeEach(async () => {
      ({ schedule, audit, db } = await open(cleanup));
    });
    afterEach(() => cleanup.run());

    const add = async (number: number, fields: Partial<ScheduledStream> = {}) => {
      const stream = aScheduledStream({ id: scheduledIdOf(number), ...fields });
      assert.equal(await schedule.add(stream), 'added');
      return stream;
    };
    const listed = async (query: Partial<ScheduleQuery> = {}, now = START) => {
      const { streams, total } = await schedule.list(
        'acme',
        { page: 1, itemsOnPage: 100, past: undefined, ...query },
        now,
      );
      return [streams.map(({ id }) => Number(id.slice(1))), total];
    };
    const changes = async () =>
      (await audit.list('acme', { page: 1, itemsOnPage: 5 })).entries
        .filter(({ target }) => target.kind === 'scheduled_stream')
        .map(({ action, target, before, after }) => ({ action, id: target.id, before, after }));

    it('returns what was saved', async () => {
      const full = { description: 'Zwei\nZeilen 🎥, „Anführung“', endsOn: START + HOUR, title: 'كلمة رئيسية' };
      const stream = await add(1, full);
      assert.deepEqual(await schedule.find(stream.id), stream);
      assert.equal(await schedule.find(scheduledIdOf(2)), undefined);
    });

    it('lists what is to come by start, then what is over, the last one first', async () => {
      await add(1, { startsOn: START - 48 * HOUR, endsOn: START - 47 * HOUR });
      await add(2, { startsOn: START + 2 * HOUR });
      await add(3, { startsOn: START - 24 * HOUR });
      await add(4, { startsOn: START - HOUR });
      await add(5, { startsOn: START + HOUR });
      await add(6, { accountId: 'other' });
      assert.deepEqual(await listed(), [[4, 5, 2, 3, 1], 5]);
      assert.deepEqual(await listed({ past: false }), [[4, 5, 2], 3]);
      assert.deepEqual(await listed({ past: true }), [[3, 1], 2]);
      assert.deepEqual(await listed({ itemsOnPage: 2, page: 2 }), [[2, 3], 5]);
      assert.deepEqual(await listed({ itemsOnPage: 2, page: 4 }), [[], 5]);
    });

    it('counts a stream as over from its end, or from twelve hours after its start', async () => {
      await add(1, { endsOn: START + HOUR });
      await add(2);
      assert.deepEqual(await listed({ past: true }, START + HOUR - 1), [[], 0]);
      assert.deepEqual(await listed({ past: true }, START + HOUR), [[1], 1]);
      assert.deepEqual(await listed({ past: false }, START + 12 * HOUR - 1), [[2], 1]);
      assert.deepEqual(await listed({ past: false }, START + 12 * HOUR), [[], 0]);
    });

    it('changes fields, and counts the changes', async () => {
      const stream = await add(1);
      const subject = { accountId: 'acme', id: stream.id };
      const changed = { ...stream, title: 'New', endsOn: START + HOUR, updatedOn: START, revision: 1 };
      const decide = () => ({ ...stream, title: 'New', endsOn: START + HOUR });
      assert.deepEqual(await schedule.change(subject, decide, START), changed);
      assert.deepEqual(await schedule.find(stream.id), changed);
    });

    it('writes nothing if nothing changes, or the change is refused', async () => {
      const stream = await add(1);
      const subject = { accountId: 'acme', id: stream.id };
      assert.deepEqual(await schedule.change(subject, same, START), stream);
      const refuse = () => {
        throw new Error('refused');
      };
      await assert.rejects(schedule.change(subject, refuse, START), { message: 'refused' });
      assert.deepEqual(await schedule.find(stream.id), stream);
      assert.deepEqual(
        (await changes()).map(({ action }) => action),
        ['schedule_added'],
      );
    });

    it('loses no change of concurrent updates', async () => {
      const { id } = await add(1);
      const subject = { accountId: 'acme', id };
      await Promise.all([
        schedule.change(subject, (before) => ({ ...before, title: 'A' }), START),
        schedule.change(subject, (before) => ({ ...before, description: 'B' }), START),
        schedule.change(subject, (before) => ({ ...before, streamName: 'C' }), START),
      ]);
      const { title, description, streamName, revision } = (await schedule.find(id))!;
      assert.deepEqual([title, description, streamName, revision], ['A', 'B', 'C', 3]);
    });

    it('leaves the scheduled streams of other accounts alone', async () => {
      const stream = await add(1, { accountId: 'other' });
      const subject = { accountId: 'acme', id: stream.id };
      assert.equal(await schedule.change(subject, (before) => ({ ...before, title: 'A' }), START), undefined);
      assert.equal(await schedule.remove('acme', stream.id, START), false);
      assert.deepEqual(await schedule.find(stream.id), stream);
    });

    it('removes one, once', async () => {
      const { id } = await add(1);
      const other = await add(2);
      assert.deepEqual([await schedule.remove('acme', id, 2), await schedule.remove('acme', id, 3)], [true, false]);
      assert.deepEqual([await schedule.find(id), await schedule.find(other.id)], [undefined, other]);
    });

    it('is full with as many as an account may have, also for two at once', async () => {
      const rows = Array.from({ length: MAX_SCHEDULED_STREAMS - 1 }, (_none, number) => ({
        id: scheduledIdOf(number),
        account_id: 'acme',
        stream_name: 'main',
        title: 'Keynote',
        description: null,
        starts_on: START,
        ends_on: null,
        created_on: 1,
        updated_on: 1,
        revision: 0,
      }));
      await db.insertInto('scheduled_stream').values(rows).execute();
      const two = [2_000, 2_001].map((number) => schedule.add(aScheduledStream({ id: scheduledIdOf(number) })));
      assert.deepEqual((await Promise.all(two)).toSorted(), ['added', 'full']);
      assert.equal(await schedule.add(aScheduledStream({ id: scheduledIdOf(3_000), accountId: 'other' })), 'added');
    });

    it('goes with its account', async () => {
      const { id } = await add(1);
      await db.deleteFrom('account').where('id', '=', 'acme').execute();
      assert.equal(await schedule.find(id), undefined);
    });

    it('writes each change to the audit log', async () => {
      const { id } = await add(1, { endsOn: START + HOUR });
      await schedule.change({ accountId: 'acme', id }, (before) => ({ ...before, endsOn: null }), START);
      await schedule.remove('acme', id, START);
      const first = {
        streamName: 'main',
        title: 'Keynote',
        description: null,
        startsOn: '2026-12-05T19:00:00.000Z',
        endsOn: '2026-12-05T20:00:00.000Z',
      };
      const second = { ...first, endsOn: null };
      assert.deepEqual(await changes(), [
        { action: 'schedule_removed', id, before: second, after: null },
        { action: 'schedule_changed', id, before: first, after: second },
        { action: 'schedule_added', id, before: null, after: first },
      ]);
    });
  });
}
