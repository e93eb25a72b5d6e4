import type { StoredSession } from '../server/oversight/session-record.js';
import { HOUR_MS } from '../server/statistics/hour-statistics.js';
import type { HourRange } from '../server/statistics/statistics-store.js';
import type { Database } from '../server/store/schema.js';
import { SqlSessionStore } from '../server/store/tables/sql-session-store.js';
import { SqlStatisticsStore } from '../server/store/tables/sql-statistics-store.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { progress } from './support/progress.js';
import { withDatabases } from './tokens/test-databases.js';

const SESSIONS_A_DAY = 10_000;
const STREAMS = 40;
const TOKENS = 2_000;
const ADDRESSES = 5_000;
const ROUNDS = 5;
/** The rows of one transaction of the recorder. */
const ROWS_AT_ONCE = 100;
const FIRST_HOUR = Math.floor(Date.parse('2026-10-01T00:00:00Z') / HOUR_MS);

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Sessions of ten minutes each, evenly over the day, with streams and tokens of different size. */
function sessionAt(index: number): StoredSession {
  const openedOn = FIRST_HOUR * HOUR_MS + Math.floor((index * 24 * HOUR_MS) / SESSIONS_A_DAY);
  const of = (count: number, step: number) => Math.floor((((index * step) % 1_009) ** 2 / 1_009 ** 2) * count);
  return {
    id: index.toString(16).padStart(32, '0'),
    accountId: 'acme',
    streamName: `stream-${of(STREAMS, 7)}`,
    role: 'viewer',
    protocol: 'websocket',
    tokenId: (index * 31) % TOKENS,
    address: `10.0.${((index * 17) % ADDRESSES) >> 8}.${((index * 17) % ADDRESSES) & 255}`,
    origin: 'https://example.com',
    openedOn,
    connectedOn: openedOn + 80,
    firstMediaOn: openedOn + 200,
    seenOn: openedOn + 600_000,
    endedOn: openedOn + 600_000,
    reason: 'left',
    mediaMs: 599_800,
    reconnects: 0,
    quality: null,
    timeline: {
      events: (['opened', 'media_connected', 'reachable', 'ended'] as const).map((name) => ({ time: openedOn, name })),
      leftOut: 0,
    },
  };
}

async function measure(db: Database, days: number) {
  const sessions = new SqlSessionStore(db);
  const statistics = new SqlStatisticsStore(db);
  const count = days * SESSIONS_A_DAY;
  for (let start = 0; start < count; start += ROWS_AT_ONCE) {
    await sessions.save(Array.from({ length: ROWS_AT_ONCE }, (_, index) => sessionAt(start + index)));
    if (start % (count / 10) === 0) progress(`${start} of ${count} sessions`);
  }
  const rollUps: number[] = [];
  for (const hour of await statistics.hoursToRollUp()) {
    rollUps.push(await msOf(() => statistics.rollUp(hour, true)));
  }
  const range: HourRange = { from: FIRST_HOUR, to: FIRST_HOUR + days * 24 };
  const page = { limit: 100, offset: 0 };
  const pages: Record<string, () => Promise<unknown>> = {
    streams: () => statistics.streams('acme', range, page),
    stream: () => statistics.stream('acme', 'stream-0', range, 1),
    tokens: () => statistics.tokens('acme', range, page),
    token: () => Promise.all([statistics.token('acme', 7, range), statistics.tokenAddresses('acme', 7, 20)]),
    usage: () => statistics.days('acme', range),
  };
  const figures: Record<string, number> = {};
  for (const [name, read] of Object.entries(pages)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await msOf(read));
    figures[name] = median(times);
  }
  const direct: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) direct.push(await msOf(() => fromSessions(db)));
  return { pages: figures, rollUpMs: median(rollUps), directMs: median(direct) };
}

/** What the page of streams would cost without the sums of the hours. It has no peaks. */
async function fromSessions(db: Database): Promise<void> {
  await db
    .selectFrom('session')
    .where('account_id', '=', 'acme')
    .where('role', '=', 'viewer')
    .select(['stream_name', (eb) => eb.fn.countAll().as('sessions'), (eb) => eb.fn.sum('watched_ms').as('watched_ms')])
    .groupBy('stream_name')
    .execute();
}

/** Measures how long the pages of statistics take with a month of 10,000 sessions a day, on both databases. */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const days = quick ? 1 : 30;
  return await withDatabases(async (databases) => {
    const sqlite = await measure(databases.sqlite.db, days);
    const postgres = await measure(databases.postgres.db, days);
    const named = (prefix: string, pages: Readonly<Record<string, number>>) =>
      Object.entries(pages).map(([page, ms]) => [`${prefix}${page[0]!.toUpperCase()}${page.slice(1)}Ms`, ms] as const);
    return {
      name: 'statistics',
      ratio: sqlite.pages['streams']! / sqlite.directMs,
      against: 'the sums of the same month taken from the sessions themselves, on SQLite',
      also: [
        {
          ratio: postgres.pages['streams']! / postgres.directMs,
          against: 'the same on PostgreSQL',
        },
      ],
      figures: {
        sessions: days * SESSIONS_A_DAY,
        ...Object.fromEntries([...named('sqlite', sqlite.pages), ...named('postgres', postgres.pages)]),
        slowestPageMs: Math.max(...Object.values(sqlite.pages), ...Object.values(postgres.pages)),
        sqliteRollUpOfAnHourMs: sqlite.rollUpMs,
        postgresRollUpOfAnHourMs: postgres.rollUpMs,
        sqliteFromSessionsMs: sqlite.directMs,
        postgresFromSessionsMs: postgres.directMs,
      },
    };
  });
}
