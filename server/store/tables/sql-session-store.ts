import type { Insertable, Selectable } from 'kysely';
import * as z from 'zod/mini';
import { SERVER_LOST } from '../../../src/wire/management/session.js';
import type { StoredSession } from '../../oversight/session-record.js';
import { EMPTY_TIMELINE, type SessionTimeline } from '../../oversight/session-timeline.js';
import type { ViewingQuality } from '../../oversight/viewing-quality.js';
import type { SessionQuery, SessionStore } from '../../oversight/session-store.js';
import { hourOf } from '../../statistics/hour-statistics.js';
import { RowReader } from '../rows/row-reader.js';
import type { Database } from '../schema.js';
import type { SessionTable } from '../schema/oversight-tables.js';

/** The rows of one insert. Databases limit the parameters of a statement, and each row has 18. */
const ROWS_AT_ONCE = 100;
/** The rows of one deletion, so that other writes wait for a short time only. */
const PRUNED_AT_ONCE = 1_000;

export class SqlSessionStore implements SessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async save(sessions: readonly StoredSession[]): Promise<void> {
    if (sessions.length === 0) return;
    await this.#db.transaction().execute(async (trx) => {
      const named = [...new Set(sessions.map(({ accountId }) => accountId))];
      const found = await trx.selectFrom('account').select('id').where('id', 'in', named).execute();
      const known = new Set(found.map(({ id }) => id));
      const rows = sessions.filter(({ accountId }) => known.has(accountId)).map(rowOf);
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
        const part = rows.slice(start, start + ROWS_AT_ONCE);
        await trx
          .insertInto('session')
          .values(part)
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((eb) => ({
              connected_on: eb.ref('excluded.connected_on'),
              first_media_on: eb.ref('excluded.first_media_on'),
              seen_on: eb.ref('excluded.seen_on'),
              ended_on: eb.ref('excluded.ended_on'),
              reason: eb.ref('excluded.reason'),
              watched_ms: eb.ref('excluded.watched_ms'),
              reconnects: eb.ref('excluded.reconnects'),
              events: eb.ref('excluded.events'),
              quality: eb.ref('excluded.quality'),
            })),
          )
          .execute();
        await saveHours(trx, part);
      }
    });
  }

  async list(accountId: string, query: SessionQuery): Promise<readonly StoredSession[]> {
    const { streamName, from, to, tokenId, reason, state, after, limit } = query;
    const rows = await this.#db
      .selectFrom('session')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('stream_name', '=', streamName)
      .$if(from !== undefined, (sessions) => sessions.where('opened_on', '>=', from!))
      .$if(to !== undefined, (sessions) => sessions.where('opened_on', '<', to!))
      .$if(tokenId !== undefined, (sessions) => sessions.where('token_id', '=', tokenId!))
      .$if(reason !== undefined, (sessions) => sessions.where('reason', '=', reason!))
      .$if(state !== undefined, (sessions) => sessions.where('ended_on', state === 'open' ? 'is' : 'is not', null))
      .$if(after !== undefined, (sessions) =>
        sessions.where((eb) =>
          eb.or([
            eb('opened_on', '<', after!.openedOn),
            eb.and([eb('opened_on', '=', after!.openedOn), eb('id', '<', after!.id)]),
          ]),
        ),
      )
      .orderBy('opened_on', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return sessionReader.readAll(this.#db, rows);
  }

  async find(accountId: string, streamName: string, id: string): Promise<StoredSession | undefined> {
    const row = await this.#db
      .selectFrom('session')
      .selectAll()
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('stream_name', '=', streamName)
      .executeTakeFirst();
    return sessionReader.find(this.#db, row);
  }

  async endLost(time: number): Promise<void> {
    await this.#db
      .updateTable('session')
      .set((eb) => ({ ended_on: eb.ref('seen_on'), reason: SERVER_LOST }))
      .where('ended_on', 'is', null)
      .where('seen_on', '<', time)
      .execute();
  }

  async prune(time: number, signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (;;) {
      if (signal?.aborted) return count;
      const { numDeletedRows } = await this.#db
        .deleteFrom('session')
        .where('id', 'in', (eb) =>
          eb.selectFrom('session').select('id').where('seen_on', '<', time).limit(PRUNED_AT_ONCE),
        )
        .executeTakeFirst();
      count += Number(numDeletedRows);
      if (numDeletedRows < PRUNED_AT_ONCE) return count;
    }
  }
}

/** Keeps for how long each session had media by now, in this hour, and asks for new sums of the hour. */
async function saveHours(db: Database, sessions: readonly Insertable<SessionTable>[]): Promise<void> {
  const rows = sessions.map(({ id, seen_on, watched_ms }) => ({
    session_id: id,
    hour: hourOf(seen_on),
    media_ms: watched_ms,
  }));
  const hours = [...new Set(rows.map(({ hour }) => hour))].toSorted((one, other) => one - other);
  await db
    .insertInto('hour_to_roll_up')
    .values(hours.map((hour) => ({ hour })))
    // Not `doNothing`: the row stays locked until this transaction ends. See SqlStatisticsStore.rollUp.
    .onConflict((conflict) => conflict.column('hour').doUpdateSet((eb) => ({ hour: eb.ref('excluded.hour') })))
    .execute();
  await db
    .insertInto('session_hour')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'hour']).doUpdateSet((eb) => ({ media_ms: eb.ref('excluded.media_ms') })),
    )
    .execute();
}

function rowOf(session: StoredSession): Insertable<SessionTable> {
  return {
    id: session.id,
    account_id: session.accountId,
    stream_name: session.streamName,
    role: session.role,
    protocol: session.protocol,
    token_id: session.tokenId,
    address: session.address,
    origin: session.origin,
    opened_on: session.openedOn,
    connected_on: session.connectedOn,
    first_media_on: session.firstMediaOn,
    seen_on: session.seenOn,
    ended_on: session.endedOn,
    reason: session.reason,
    watched_ms: session.mediaMs,
    reconnects: session.reconnects,
    events: JSON.stringify(session.timeline),
    quality: session.quality && JSON.stringify(session.quality),
  };
}

const timelineForm = z.object({
  events: z.array(z.object({ time: z.number(), name: z.string() })),
  leftOut: z.number(),
});
const qualityForm = z.record(z.string(), z.nullable(z.union([z.string(), z.number()])));

/** What is only shown may be that of a later version. */
const timeline = z.custom<SessionTimeline>((value) => timelineForm.safeParse(value).success);
const quality = z.custom<ViewingQuality>((value) => qualityForm.safeParse(value).success);

const sessionReader = new RowReader<Selectable<SessionTable>, StoredSession>({
  table: 'session',
  key: ['id'],
  read: (row) => ({
    id: row.text('id'),
    accountId: row.text('account_id'),
    streamName: row.text('stream_name'),
    role: row.shown('role'),
    protocol: row.shown('protocol'),
    tokenId: row.orNull('token_id', row.integer),
    address: row.text('address'),
    origin: row.orNull('origin', row.text),
    openedOn: row.time('opened_on'),
    connectedOn: row.orNull('connected_on', row.time),
    firstMediaOn: row.orNull('first_media_on', row.time),
    seenOn: row.time('seen_on'),
    endedOn: row.orNull('ended_on', row.time),
    reason: row.orNull('reason', row.text),
    mediaMs: row.integer('watched_ms'),
    reconnects: row.count('reconnects'),
    timeline: row.tolerate(() => row.json('events', timeline), EMPTY_TIMELINE),
    quality: row.tolerate(() => row.orNull('quality', (name) => row.json(name, quality)), null),
  }),
});
