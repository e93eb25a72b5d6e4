import { sql, type ExpressionBuilder, type Insertable, type RawBuilder } from 'kysely';
import type { HourRange } from '../../statistics/statistics-store.js';
import {
  FIRST_PICTURE_LIMITS_MS,
  SLOTS_PER_HOUR,
  type StoredViewingSlot,
  type ViewingSlot,
  type ViewingSums,
} from '../../statistics/viewing-sums.js';
import type { ViewingPeriod, ViewingStore } from '../../statistics/viewing-store.js';
import type { Database, Schema } from '../schema.js';
import { sumOf, type Sum } from './plausible-sum.js';
import type { ViewingSlotTable } from '../schema/statistics-tables.js';

/** The rows of one insert. Databases limit the parameters of a statement, and each row has 29. */
const ROWS_AT_ONCE = 100;

const FIRST_COLUMNS = Array.from(
  { length: FIRST_PICTURE_LIMITS_MS.length + 1 },
  (_, index): `first_${number}` => `first_${index}`,
);

/** The columns that can be added up. */
const SUM_COLUMNS = [
  'played_ms',
  'frozen_ms',
  'freezes',
  'packets',
  'lost',
  'round_trip_ms',
  'round_trips',
  'height',
  'heights',
  ...FIRST_COLUMNS,
] as const;

export class SqlViewingStore implements ViewingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async save(serverId: string, slots: readonly StoredViewingSlot[]): Promise<void> {
    if (slots.length === 0) return;
    await this.#db.transaction().execute(async (trx) => {
      const named = [...new Set(slots.map(({ accountId }) => accountId))];
      const found = await trx.selectFrom('account').select('id').where('id', 'in', named).execute();
      const known = new Set(found.map(({ id }) => id));
      const rows = slots.filter(({ accountId }) => known.has(accountId)).map((slot) => rowOf(serverId, slot));
      for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
        await saveRows(trx, rows.slice(start, start + ROWS_AT_ONCE));
      }
      await askForSums(trx, rows);
    });
  }

  async streams(
    accountId: string,
    range: HourRange,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, ViewingSums>> {
    if (names.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('viewing_hour')
      .where('account_id', '=', accountId)
      .where('stream_name', 'in', names)
      .where(within(range))
      .select(['stream_name', ...sums()])
      .groupBy('stream_name')
      .execute();
    return new Map(rows.map((row) => [row.stream_name, sumsOf(row)]));
  }

  async stream(
    accountId: string,
    streamName: string,
    range: HourRange,
    hours: 1 | 24,
  ): Promise<readonly ViewingPeriod[]> {
    const rows = await this.#db
      .selectFrom('viewing_hour')
      .where('account_id', '=', accountId)
      .where('stream_name', '=', streamName)
      .where(within(range))
      .select([sql<number>`hour - hour % ${sql.lit(hours)}`.as('first'), ...sums()])
      .groupBy('first')
      .orderBy('first')
      .execute();
    return rows.map((row) => Object.assign(sumsOf(row), { hour: Number(row.first) }));
  }

  async worst(
    accountId: string,
    streamName: string,
    { from, to }: HourRange,
    leastMs: number,
  ): Promise<ViewingSlot | undefined> {
    const played = sql<number>`sum(played_ms)`;
    const frozen = sql<number>`sum(frozen_ms)`;
    const row = await this.#db
      .selectFrom('viewing_slot')
      .where('account_id', '=', accountId)
      .where('stream_name', '=', streamName)
      .where('slot', '>=', from * SLOTS_PER_HOUR)
      .where('slot', '<', to * SLOTS_PER_HOUR)
      .select(['slot', ...sums(), sumOf('viewers'), sumOf('frozen_viewers'), sumOf('overloaded')])
      .groupBy('slot')
      .having(played, '>=', leastMs)
      .having(frozen, '>', 0)
      .orderBy(sql`${frozen} * 1.0 / ${played}`, 'desc')
      .orderBy('slot', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    const [viewers, frozenViewers] = [Number(row.viewers), Number(row.frozen_viewers)];
    return { slot: row.slot, ...sumsOf(row), viewers, frozenViewers, isOverloaded: Number(row.overloaded) > 0 };
  }

  async pruneSlots(slot: number): Promise<void> {
    await this.#db.deleteFrom('viewing_slot').where('slot', '<', slot).execute();
  }
}

/** Replaces the sums of an hour by those of its five minutes. */
export async function rollUpViewing(db: Database, hour: number): Promise<void> {
  const slots = db
    .selectFrom('viewing_slot')
    .where('slot', '>=', hour * SLOTS_PER_HOUR)
    .where('slot', '<', (hour + 1) * SLOTS_PER_HOUR)
    .select(['account_id', 'stream_name', sql<number>`${sql.lit(hour)}`.as('hour'), ...sums()])
    .groupBy(['account_id', 'stream_name']);
  await db
    .insertInto('viewing_hour')
    .columns(['account_id', 'stream_name', 'hour', ...SUM_COLUMNS])
    .expression(slots)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'stream_name', 'hour']).doUpdateSet(replaced(SUM_COLUMNS)),
    )
    .execute();
}

async function saveRows(db: Database, rows: readonly Insertable<ViewingSlotTable>[]): Promise<void> {
  await db
    .insertInto('viewing_slot')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'stream_name', 'slot', 'server_id'])
        .doUpdateSet(replaced(['viewers', 'frozen_viewers', 'overloaded', ...SUM_COLUMNS])),
    )
    .execute();
}

/** See SqlStatisticsStore.rollUp. */
async function askForSums(db: Database, rows: readonly Insertable<ViewingSlotTable>[]): Promise<void> {
  const hours = [...new Set(rows.map(({ slot }) => Math.floor(slot / SLOTS_PER_HOUR)))].toSorted((a, b) => a - b);
  if (hours.length === 0) return;
  await db
    .insertInto('hour_to_roll_up')
    .values(hours.map((hour) => ({ hour })))
    // Not `doNothing`: the row stays locked until this transaction ends.
    .onConflict((conflict) => conflict.column('hour').doUpdateSet((eb) => ({ hour: eb.ref('excluded.hour') })))
    .execute();
}

function replaced(names: readonly string[]): Record<string, RawBuilder<number>> {
  return Object.fromEntries(names.map((name) => [name, sql.ref<number>(`excluded.${name}`)]));
}

function within({ from, to }: HourRange) {
  return (eb: ExpressionBuilder<Schema, 'viewing_hour'>) => eb.and([eb('hour', '>=', from), eb('hour', '<', to)]);
}

function sums() {
  return SUM_COLUMNS.map((name) => sumOf(name));
}

function rowOf(serverId: string, slot: StoredViewingSlot): Insertable<ViewingSlotTable> {
  return {
    account_id: slot.accountId,
    stream_name: slot.streamName,
    slot: slot.slot,
    server_id: serverId,
    viewers: slot.viewers,
    frozen_viewers: slot.frozenViewers,
    overloaded: slot.isOverloaded ? 1 : 0,
    played_ms: slot.playedMs,
    frozen_ms: slot.frozenMs,
    freezes: slot.freezes,
    packets: slot.packets,
    lost: slot.lost,
    round_trip_ms: slot.roundTripMs,
    round_trips: slot.roundTrips,
    height: slot.height,
    heights: slot.heights,
    ...Object.fromEntries(FIRST_COLUMNS.map((name, index) => [name, slot.firstPictures[index]!])),
  };
}

function sumsOf(row: Readonly<Record<(typeof SUM_COLUMNS)[number], Sum>>): ViewingSums {
  return {
    playedMs: Number(row.played_ms),
    frozenMs: Number(row.frozen_ms),
    freezes: Number(row.freezes),
    packets: Number(row.packets),
    lost: Number(row.lost),
    roundTripMs: Number(row.round_trip_ms),
    roundTrips: Number(row.round_trips),
    height: Number(row.height),
    heights: Number(row.heights),
    firstPictures: FIRST_COLUMNS.map((name) => Number(row[name])),
  };
}
