import { isDeepStrictEqual } from 'node:util';
import { sql, type Selectable } from 'kysely';
import { MAX_SCHEDULED_STREAMS, type ScheduleQuery } from '../../../src/wire/management/schedule.js';
import {
  LENGTH_WITHOUT_END_MS,
  type ScheduledFields,
  type ScheduledStream,
} from '../../accounts/schedule/scheduled-stream.js';
import type { SchedulePage, ScheduleStore } from '../../accounts/schedule/schedule-store.js';
import type { AuditFields } from '../../oversight/audit-entry.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { ScheduledStreamTable } from '../schema/account-tables.js';
import { writeAudit } from './sql-audit-store.js';

export class SqlScheduleStore implements ScheduleStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(stream: ScheduledStream): Promise<'added' | 'full'> {
    const { id, accountId, createdOn } = stream;
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the account on every database, so that nobody else takes the place that is counted.
      await trx.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute();
      const { count } = await trx
        .selectFrom('scheduled_stream')
        .where('account_id', '=', accountId)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_SCHEDULED_STREAMS) return 'full';
      await trx.insertInto('scheduled_stream').values(rowOf(stream)).execute();
      const change = { before: null, after: auditFields(stream) };
      await writeAudit(trx, { accountId, action: 'schedule_added', target: targetOf(id), ...change }, createdOn);
      return 'added';
    });
  }

  async change(...[{ accountId, id }, decide, now]: Parameters<ScheduleStore['change']>) {
    return await this.#db.transaction().execute(async (trx) => {
      // Writing first locks the row on every database, so that what is read with it is current.
      const row = await trx
        .updateTable('scheduled_stream')
        .set({ account_id: accountId })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const before = scheduleReader.read(trx, row);
      const after = { ...before, ...decide(before) };
      if (isDeepStrictEqual(after, before)) return before;
      const changed = { ...after, updatedOn: now, revision: before.revision + 1 };
      const { id: _, account_id: __, ...values } = rowOf(changed);
      await trx.updateTable('scheduled_stream').set(values).where('id', '=', id).execute();
      const fields = { before: auditFields(before), after: auditFields(after) };
      await writeAudit(trx, { accountId, action: 'schedule_changed', target: targetOf(id), ...fields }, now);
      return changed;
    });
  }

  async remove(accountId: string, id: string, now: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx
        .deleteFrom('scheduled_stream')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst();
      if (!row) return false;
      const removed = scheduleReader.find(trx, row);
      scheduleReader.forget(trx, row);
      const change = { before: removed ? auditFields(removed) : null, after: null };
      await writeAudit(trx, { accountId, action: 'schedule_removed', target: targetOf(id), ...change }, now);
      return true;
    });
  }

  async find(id: string): Promise<ScheduledStream | undefined> {
    const row = await this.#db.selectFrom('scheduled_stream').selectAll().where('id', '=', id).executeTakeFirst();
    return scheduleReader.find(this.#db, row);
  }

  async list(accountId: string, { page, itemsOnPage, past }: ScheduleQuery, now: number): Promise<SchedulePage> {
    const isOver = sql<boolean>`coalesce(ends_on, starts_on + ${sql.lit(LENGTH_WITHOUT_END_MS)}) <= ${sql.lit(now)}`;
    let streams = this.#db.selectFrom('scheduled_stream').where('account_id', '=', accountId);
    if (past !== undefined) streams = streams.where(past ? isOver : sql<boolean>`not (${isOver})`);
    const rows = await streams
      .selectAll()
      .orderBy(sql`case when ${isOver} then 1 else 0 end`)
      .orderBy(sql`case when ${isOver} then -starts_on else starts_on end`)
      .orderBy('id')
      .limit(itemsOnPage)
      .offset((page - 1) * itemsOnPage)
      .execute();
    const { total } = await streams.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow();
    return { streams: scheduleReader.showAll(this.#db, rows), total: Number(total) };
  }
}

const targetOf = (id: string) => ({ kind: 'scheduled_stream', id });

function auditFields({ streamName, title, description, startsOn, endsOn }: ScheduledFields): AuditFields {
  return { streamName, title, description, startsOn: isoOf(startsOn), endsOn: endsOn === null ? null : isoOf(endsOn) };
}

function rowOf(stream: ScheduledStream): ScheduledStreamTable {
  return {
    id: stream.id,
    account_id: stream.accountId,
    stream_name: stream.streamName,
    title: stream.title,
    description: stream.description,
    starts_on: stream.startsOn,
    ends_on: stream.endsOn,
    created_on: stream.createdOn,
    updated_on: stream.updatedOn,
    revision: stream.revision,
  };
}

const scheduleReader = new RowReader<Selectable<ScheduledStreamTable>, ScheduledStream>({
  table: 'scheduled_stream',
  key: ['id'],
  read: (row) => ({
    id: row.text('id'),
    accountId: row.text('account_id'),
    streamName: row.text('stream_name'),
    title: row.text('title'),
    description: row.orNull('description', row.text),
    startsOn: row.time('starts_on'),
    endsOn: row.orNull('ends_on', row.time),
    createdOn: row.time('created_on'),
    updatedOn: row.time('updated_on'),
    revision: row.count('revision'),
  }),
  unreadable: (row) => ({
    id: row.text('id'),
    accountId: row.text('account_id'),
    streamName: row.tolerate(() => row.text('stream_name'), ''),
    title: row.tolerate(() => row.text('title'), ''),
    description: null,
    startsOn: row.tolerate(() => row.time('starts_on'), 0),
    endsOn: row.tolerate(() => row.orNull('ends_on', row.time), null),
    createdOn: row.tolerate(() => row.time('created_on'), 0),
    updatedOn: row.tolerate(() => row.time('updated_on'), 0),
    revision: 0,
    unreadable: true,
  }),
});

const isoOf = (time: number): string => new Date(time).toISOString();
