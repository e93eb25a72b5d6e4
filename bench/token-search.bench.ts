import type { TokenListQuery } from '../src/wire/management/token.js';
import type { TokenRecord } from '../server/tokens/token-record.js';
import type { TokenStore } from '../server/tokens/token-store.js';
import type { BenchOptions, BenchResult } from './bench-result.js';
import { insertTokens } from './tokens/stored-tokens.js';
import { withDatabases, type TestDatabase } from './tokens/test-databases.js';

const TOKENS = 100_000;
const ROUNDS = 9;
const FIRST_PAGE: TokenListQuery = { page: 1, itemsOnPage: 20, sortBy: 'Name', isDescending: false };

const scope = { accountId: 'acme', kind: 'subscribe' } as const;

/** What people search for: much, little, nothing, an order without an index, and the last page. */
function searches(count: number): Readonly<Record<string, TokenListQuery>> {
  return {
    few: { ...FIRST_PAGE, search: 'visitor 4242' },
    many: { ...FIRST_PAGE, search: 'room-7' },
    everything: { ...FIRST_PAGE, search: 'visitor' },
    none: { ...FIRST_PAGE, search: 'nobody has this' },
    number: { ...FIRST_PAGE, search: '424', sortBy: 'ExpiresOn' },
    state: { ...FIRST_PAGE, state: 'expired', sortBy: 'AddedOn', isDescending: true },
    lastPage: { ...FIRST_PAGE, search: 'visitor', page: Math.floor(count / 20) },
  };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}

async function measure({ db, seal, stores: [store] }: TestDatabase, count: number) {
  await db.transaction().execute((trx) => insertTokens(trx, count, seal));
  const figures: Record<string, number> = {};
  for (const [name, query] of Object.entries(searches(count))) {
    figures[name] = await msOf(() => store.list(scope, query));
  }
  const list = await msOf(() => store.list(scope, FIRST_PAGE));
  return { figures, list, filterMs: await msOf(() => filtered(store)) };
}

/** What a client would do without a search: read every token, and filter. */
async function filtered(store: TokenStore): Promise<readonly TokenRecord[]> {
  const found: TokenRecord[] = [];
  for await (const token of store.all()) if (token.label.includes('visitor 4242')) found.push(token);
  return found;
}

/** Measures how long a search in 100,000 tokens takes, on both databases. */
export async function run({ quick = false }: BenchOptions = {}): Promise<BenchResult> {
  const count = quick ? 10_000 : TOKENS;
  return await withDatabases(async ({ sqlite, postgres }) => {
    const ofSqlite = await measure(sqlite, count);
    const ofPostgres = await measure(postgres, count);
    const named = (prefix: string, figures: Readonly<Record<string, number>>) =>
      Object.entries(figures).map(
        ([name, ms]) => [`${prefix}${name[0]!.toUpperCase()}${name.slice(1)}Ms`, ms] as const,
      );
    return {
      name: 'token-search',
      ratio: ofSqlite.figures['few']! / ofSqlite.filterMs,
      against: 'reading every token from SQLite and filtering',
      also: [{ ratio: ofPostgres.figures['few']! / ofPostgres.filterMs, against: 'the same on PostgreSQL' }],
      figures: {
        tokens: count,
        ...Object.fromEntries([...named('sqlite', ofSqlite.figures), ...named('postgres', ofPostgres.figures)]),
        slowestMs: Math.max(...Object.values(ofSqlite.figures), ...Object.values(ofPostgres.figures)),
        sqliteListMs: ofSqlite.list,
        postgresListMs: ofPostgres.list,
      },
    };
  });
}
