import { sql, type ExpressionBuilder, type SelectQueryBuilder } from 'kysely';
import type {
  AccountDay,
  HourRange,
  StatisticsList,
  StatisticsPage,
  StatisticsStore,
  StreamPeriod,
  StreamSums,
  StreamTotals,
  TokenAddresses,
  TokenTotals,
} from '../../statistics/statistics-store.js';
import { storedTime } from '../rows/columns.js';
import type { Database, Schema } from '../schema.js';
import { rollUpSessions } from './session-roll-up.js';
import { sumOf, type Sum } from './plausible-sum.js';
import { rollUpViewing } from './sql-viewing-store.js';

export class SqlStatisticsStore implements StatisticsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async hoursToRollUp(): Promise<readonly number[]> {
    const rows = await this.#db.selectFrom('hour_to_roll_up').select('hour').orderBy('hour').execute();
    return rows.map(({ hour }) => hour);
  }

  async rollUp(hour: number, isOver: boolean): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      // Locks the row. A server that saves sessions of the hour at the same time waits, and asks for the hour again.
      if (isOver) await trx.deleteFrom('hour_to_roll_up').where('hour', '=', hour).execute();
      else await trx.updateTable('hour_to_roll_up').set({ hour }).where('hour', '=', hour).execute();
      await rollUpSessions(trx, hour);
      await rollUpViewing(trx, hour);
    });
  }

  async streams(accountId: string, range: HourRange, page: StatisticsPage): Promise<StatisticsList<StreamTotals>> {
    const all = this.#db
      .selectFrom('stream_hour')
      .where('account_id', '=', accountId)
      .where(within(range))
      .select(['stream_name', (eb) => eb.fn.max('peak_viewers').as('peak_viewers'), ...sums()])
      .groupBy('stream_name')
      .orderBy('watched_ms', 'desc')
      .orderBy('stream_name');
    return await listOf(all.select(groupCount), page, totalsOf);
  }

  async stream(
    accountId: string,
    streamName: string,
    range: HourRange,
    hours: 1 | 24,
  ): Promise<readonly StreamPeriod[]> {
    const rows = await this.#db
      .selectFrom('stream_hour')
      .where('account_id', '=', accountId)
      .where('stream_name', '=', streamName)
      .where(within(range))
      .select([firstHour(hours).as('first'), (eb) => eb.fn.max('peak_viewers').as('peak_viewers'), ...sums()])
      .groupBy('first')
      .orderBy('first')
      .execute();
    return rows.map(periodOf);
  }

  async days(accountId: string, range: HourRange): Promise<readonly AccountDay[]> {
    const rows = await this.#db
      .selectFrom('stream_hour')
      .where('account_id', '=', accountId)
      .where(within(range))
      .select([firstHour(24).as('first'), (eb) => eb.fn.count('stream_name').distinct().as('streams'), ...sums()])
      .groupBy('first')
      .orderBy('first')
      .execute();
    return rows.map(dayOf);
  }

  async tokens(accountId: string, range: HourRange, page: StatisticsPage): Promise<StatisticsList<TokenTotals>> {
    const all = this.#tokens(accountId, range).orderBy('media_ms', 'desc').orderBy('token_id');
    return await listOf(all.select(groupCount), page, tokenOf);
  }

  async token(accountId: string, tokenId: number, range: HourRange): Promise<TokenTotals | undefined> {
    const row = await this.#tokens(accountId, range).where('token_id', '=', tokenId).executeTakeFirst();
    return row && tokenOf(row);
  }

  async tokenAddresses(accountId: string, tokenId: number, limit: number): Promise<TokenAddresses> {
    const ofToken = this.#db.selectFrom('session').where('account_id', '=', accountId).where('token_id', '=', tokenId);
    const { total } = await ofToken
      .select((eb) => eb.fn.count('address').distinct().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ofToken
      .select(['address', (eb) => eb.fn.countAll().as('sessions'), (eb) => eb.fn.max('seen_on').as('last')])
      .groupBy('address')
      .orderBy('last', 'desc')
      .orderBy('address')
      .limit(limit)
      .execute();
    return {
      total: Number(total),
      latest: rows.map(({ address, sessions, last }) => ({
        address,
        sessions: Number(sessions),
        lastUsedOn: storedTime(last) ?? 0,
      })),
    };
  }

  async prune(hour: number): Promise<void> {
    for (const table of ['stream_hour', 'token_hour', 'viewing_hour'] as const) {
      await this.#db.deleteFrom(table).where('hour', '<', hour).execute();
    }
  }

  #tokens(accountId: string, range: HourRange) {
    return this.#db
      .selectFrom('token_hour')
      .where('account_id', '=', accountId)
      .where(within(range))
      .select([
        'token_id',
        // A token has one kind.
        (eb) => eb.fn.max('kind').as('kind'),
        sumOf('sessions'),
        sumOf('media_ms'),
        (eb) => eb.fn.min('first_used_on').as('first_used_on'),
        (eb) => eb.fn.max('last_used_on').as('last_used_on'),
      ])
      .groupBy('token_id');
  }
}

/** How many groups there are, on every row: sums and count are found in one pass over the hours. */
const groupCount = sql<number>`count(*) over ()`.as('groups');

async function listOf<Stored extends { readonly groups: Sum }, Row>(
  all: SelectQueryBuilder<Schema, keyof Schema, Stored>,
  { limit, offset }: StatisticsPage,
  rowOf: (stored: Stored) => Row,
): Promise<StatisticsList<Row>> {
  const found = await all.limit(limit).offset(offset).execute();
  // Behind the last page no row says how many there are.
  const counted = found[0] ?? (offset > 0 ? await all.limit(1).executeTakeFirst() : undefined);
  return { rows: found.map((stored) => rowOf(stored as Stored)), total: Number(counted?.groups ?? 0) };
}

function within({ from, to }: HourRange) {
  return (eb: ExpressionBuilder<Schema, 'stream_hour' | 'token_hour'>) =>
    eb.and([eb('hour', '>=', from), eb('hour', '<', to)]);
}

/** The first hour of the period that contains the row: of the hour itself, or of its day. */
function firstHour(hours: 1 | 24) {
  return sql<number>`hour - hour % ${sql.lit(hours)}`;
}

function sums() {
  return [sumOf('viewer_sessions'), sumOf('watched_ms'), sumOf('publisher_sessions'), sumOf('broadcast_ms')] as const;
}

interface SumsRow {
  readonly viewer_sessions: Sum;
  readonly watched_ms: Sum;
  readonly publisher_sessions: Sum;
  readonly broadcast_ms: Sum;
}

function totalsOf(row: SumsRow & { readonly stream_name: string; readonly peak_viewers: number }): StreamTotals {
  return { streamName: row.stream_name, peakViewers: row.peak_viewers, ...sumsOf(row) };
}

function periodOf(row: SumsRow & { readonly first: number; readonly peak_viewers: number }): StreamPeriod {
  return { hour: Number(row.first), peakViewers: row.peak_viewers, ...sumsOf(row) };
}

function dayOf(row: SumsRow & { readonly first: number; readonly streams: Sum }): AccountDay {
  return { hour: Number(row.first), streams: Number(row.streams), ...sumsOf(row) };
}

function sumsOf(row: SumsRow): StreamSums {
  return {
    viewerSessions: Number(row.viewer_sessions),
    watchedMs: Number(row.watched_ms),
    publisherSessions: Number(row.publisher_sessions),
    broadcastMs: Number(row.broadcast_ms),
  };
}

function tokenOf(row: {
  readonly token_id: number;
  readonly kind: 'publish' | 'subscribe';
  readonly sessions: Sum;
  readonly media_ms: Sum;
  readonly first_used_on: Sum;
  readonly last_used_on: Sum;
}): TokenTotals {
  return {
    tokenId: Number(row.token_id),
    kind: row.kind,
    sessions: Number(row.sessions),
    mediaMs: Number(row.media_ms),
    firstUsedOn: storedTime(row.first_used_on) ?? 0,
    lastUsedOn: storedTime(row.last_used_on) ?? 0,
  };
}
