import { randomBytes } from 'node:crypto';
import type { BenchResult } from './bench-result.js';
import { withDatabases, type TestDatabase } from './tokens/test-databases.js';
import { progress } from './support/progress.js';

const ADDRESSES = 1_000;
const MAX_BOUND = 10;
const ROUNDS = 5;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function msOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Binds a thousand addresses at the same moment to a token that binds ten, spread over all servers. */
async function measure({ db, stores }: TestDatabase): Promise<{ binds: number; ms: number; insertsMs: number }> {
  const { id } = await stores[0].create({
    accountId: 'acme',
    kind: 'subscribe',
    token: randomBytes(32).toString('hex'),
    label: '',
    streams: [],
    subscribeRequiresAuth: false,
    record: false,
    recordingRetentionDays: null,
    allowedOrigins: [],
    allowedIpAddresses: [],
    deniedIpAddresses: [],
    bindIpsOnUsage: MAX_BOUND,
    boundIps: [],
    allowedCountries: [],
    deniedCountries: [],
    maxSessions: 0,
    whenFull: 'refuse',
    isActive: true,
    addedOn: 0,
    expiresOn: null,
  });
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  let binds = 0;
  const ms = await msOf(async () => {
    const results = await Promise.all(
      addresses.map((address, index) => stores[index % stores.length]!.bindAddress(id, address, 0)),
    );
    binds = results.filter(({ binding }) => binding === 'bound').length;
  });
  const stored = (await stores[0].find(id))?.boundIps.length;
  if (binds !== MAX_BOUND || stored !== MAX_BOUND) {
    throw new Error(`${binds} addresses were bound and ${stored} are stored, instead of ${MAX_BOUND}`);
  }

  // For comparison: store all addresses one after the other, without a limit.
  const insertsMs = await msOf(async () => {
    for (const [position, address] of addresses.entries()) {
      const row = { token_id: id, address: `${address}/32`, position, bound_on: 0 };
      await db.insertInto('token_bound_ip').values(row).execute();
    }
  });
  return { binds, ms, insertsMs };
}

/**
 * Measures how long binding takes when all addresses arrive at once, and checks that no more addresses are bound than
 * the token allows. Both databases have durable settings.
 */
export async function run(): Promise<BenchResult> {
  return await withDatabases(async ({ sqlite, postgres }) => {
    const rounds = { sqlite: [await measure(sqlite)], postgres: [await measure(postgres)] };
    for (let round = 1; round < ROUNDS; round += 1) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      rounds.sqlite.push(await measure(sqlite));
      rounds.postgres.push(await measure(postgres));
    }
    const of = (name: 'sqlite' | 'postgres', key: 'ms' | 'insertsMs') =>
      median(rounds[name].map((round) => round[key]));
    return {
      name: 'bind',
      ratio: of('postgres', 'insertsMs') / of('postgres', 'ms'),
      against: 'the speed of 1,000 inserts one after the other, on PostgreSQL',
      figures: {
        addresses: ADDRESSES,
        maxBound: MAX_BOUND,
        mostBoundSqlite: Math.max(...rounds.sqlite.map(({ binds }) => binds)),
        mostBoundPostgres: Math.max(...rounds.postgres.map(({ binds }) => binds)),
        sqliteMs: of('sqlite', 'ms'),
        postgresMs: of('postgres', 'ms'),
        sqliteInsertsMs: of('sqlite', 'insertsMs'),
        postgresInsertsMs: of('postgres', 'insertsMs'),
      },
    };
  });
}
