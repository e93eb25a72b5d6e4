import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { DatabaseUnavailableError } from '../../../server/errors.js';
import type { Refusal, TimedRefusal } from '../../../server/oversight/refusal.js';
import {
  FLUSH_AFTER_MS,
  MAX_PENDING,
  MAX_PENDING_OF_ACCOUNT,
  MAX_PENDING_WITHOUT_TOKEN,
  RefusalLog,
  RETRY_AFTER_MS,
  REPORT_INTERVAL_MS,
} from '../../../server/oversight/refusal-log.js';
import {
  MAX_REFUSALS_PER_ACCOUNT,
  REFUSAL_RETENTION_MS,
  type RefusalStore,
} from '../../../server/oversight/refusal-store.js';

const refusal: Refusal = {
  kind: 'subscribe',
  accountId: 'acme',
  tokenId: 7,
  streamName: 'main',
  origin: undefined,
  address: '192.0.2.1',
  reason: 'token_expired',
};

describe('RefusalLog', () => {
  const batches: TimedRefusal[][] = [];
  const pruned: [time: number, most: number][] = [];
  const told: [count: number, error: unknown][] = [];
  let fault: Error | undefined;
  let held: Promise<void> | undefined;
  let now: number;
  let log: RefusalLog;

  const store: RefusalStore = {
    async add(refusals) {
      await held;
      if (fault) throw fault;
      if (refusals.some(({ streamName }) => streamName === 'bad')) throw new Error('invalid byte sequence');
      batches.push([...refusals]);
    },
    list: () => Promise.resolve({ refusals: [], total: batches.length }),
    groups: () => Promise.resolve({ groups: [], total: batches.length }),
    listUnknown: () => Promise.resolve({ refusals: [], total: 0 }),
    async prune(time, most) {
      pruned.push([time, most]);
    },
  };

  beforeEach(() => {
    for (const list of [batches, pruned, told]) list.length = 0;
    fault = held = undefined;
    now = REFUSAL_RETENTION_MS + 5;
    mock.timers.enable({ apis: ['setTimeout'] });
    log = new RefusalLog({
      store,
      now: () => now,
      onDropped: (...said) => told.push([...said, undefined].slice(0, 2) as [number, unknown]),
    });
  });
  afterEach(() => mock.timers.reset());

  const record = (times: number, change: Partial<Refusal> = {}) => {
    for (let turn = 0; turn < times; turn += 1) log.record({ ...refusal, ...change });
  };

  it('writes the refusals of half a second in one batch, each with its own time', async () => {
    record(3);
    mock.timers.tick(FLUSH_AFTER_MS - 1);
    assert.equal(batches.length, 0);
    mock.timers.tick(1);
    await log.flush();
    assert.deepEqual(batches, [Array.from({ length: 3 }, () => ({ ...refusal, time: REFUSAL_RETENTION_MS + 5 }))]);
  });

  it('writes on demand, and each refusal once', async () => {
    record(1);
    await log.flush();
    mock.timers.tick(FLUSH_AFTER_MS);
    await log.flush();
    assert.equal(batches.length, 1);
  });

  it('lists the refusals of a moment ago', async () => {
    record(1);
    assert.equal((await log.list('acme', { page: 1, itemsOnPage: 1 })).total, 1);
  });

  it('keeps a limited number between two writes, and reports how many it dropped', async () => {
    for (const accountId of ['a', 'b', 'c']) record(MAX_PENDING_OF_ACCOUNT, { accountId });
    await log.flush();
    assert.deepEqual(
      [batches[0]?.length, log.dropped, told],
      [MAX_PENDING, MAX_PENDING_OF_ACCOUNT, [[250, undefined]]],
    );
    record(1);
    await log.flush();
    assert.deepEqual([batches[1]?.length, told.length], [1, 1]);
  });

  it('keeps refusals of other accounts during a flood at one', async () => {
    record(10_000, { accountId: 'flooded' });
    record(1, { accountId: 'quiet' });
    await log.flush();
    assert.equal(batches[0]?.filter(({ accountId }) => accountId === 'quiet').length, 1);
    assert.equal(log.dropped, 10_000 - MAX_PENDING_OF_ACCOUNT);
  });

  it('drops only the row that cannot be written', async () => {
    for (const streamName of ['a', 'b', 'bad', 'c', 'd', 'bad', 'e']) record(1, { streamName });
    await log.flush();
    assert.deepEqual(
      batches.flat().map(({ streamName }) => streamName),
      ['a', 'b', 'c', 'd', 'e'],
    );
    assert.deepEqual([log.dropped, told.length, told[0]?.[0]], [2, 1, 2]);
  });

  it('keeps the oldest refusals while the database is unavailable, and writes them later', async () => {
    fault = new DatabaseUnavailableError();
    record(1, { streamName: 'first' });
    await log.flush();
    assert.deepEqual([log.dropped, told], [0, []]);
    for (let turn = 0; turn < 10; turn += 1) {
      for (const accountId of ['a', 'b', 'c']) record(MAX_PENDING, { accountId });
      await log.flush();
    }
    fault = undefined;
    mock.timers.tick(RETRY_AFTER_MS);
    await log.flush();
    const kept = batches.flat();
    assert.deepEqual([kept.length, kept[0]?.streamName], [MAX_PENDING, 'first']);
    assert.equal(log.dropped, 15_001 - MAX_PENDING);
  });

  it('fails a list at once while the database is unavailable', async () => {
    fault = new DatabaseUnavailableError();
    record(1);
    await assert.rejects(log.list('acme', { page: 1, itemsOnPage: 1 }), fault);
  });

  it('writes one batch at a time, however long the database takes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    record(10);
    const flushes = [log.flush()];
    await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 100; turn += 1) {
      record(10, { accountId: `account ${turn}` });
      mock.timers.tick(FLUSH_AFTER_MS);
      flushes.push(log.flush());
    }
    resolve();
    await Promise.all(flushes);
    assert.deepEqual([batches.length, batches.flat().length], [2, 10 + MAX_PENDING]);
  });

  it('keeps refusals with a known token during a flood with invented accounts', async () => {
    for (let turn = 0; turn < 1_000; turn += 1) record(1, { accountId: `made up ${turn}`, tokenId: null });
    record(1, { accountId: 'acme' });
    await log.flush();
    assert.deepEqual([batches[0]?.length, batches[0]?.at(-1)?.accountId], [MAX_PENDING_WITHOUT_TOKEN + 1, 'acme']);
  });

  it('reports dropped refusals at most once a minute', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      record(MAX_PENDING_OF_ACCOUNT + 1);
      await log.flush();
    }
    assert.deepEqual(told, [[1, undefined]]);
    now += REPORT_INTERVAL_MS;
    mock.timers.tick(REPORT_INTERVAL_MS);
    assert.deepEqual(told.slice(1), [[9, undefined]]);
  });

  it('writes what it can when it is closed, and reports the rest', async () => {
    record(2);
    await log.close();
    assert.equal(batches[0]?.length, 2);
    fault = new DatabaseUnavailableError();
    record(3);
    await log.close();
    assert.deepEqual(told, [[3, undefined]]);
  });

  it('truncates text of clients, and removes NUL', async () => {
    record(1, { origin: 'x'.repeat(10_000), streamName: 'a\0b', accountId: 'a\ud800' });
    await log.flush();
    const { origin, streamName, accountId } = batches[0]![0]!;
    assert.deepEqual([origin?.length, streamName, accountId], [256, 'a\uFFFDb', 'a\uFFFD']);
  });

  it('deletes old refusals at the start and after every thousand', async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      record(MAX_PENDING_OF_ACCOUNT);
      await log.flush();
    }
    assert.deepEqual(pruned, [
      [5, MAX_REFUSALS_PER_ACCOUNT],
      [5, MAX_REFUSALS_PER_ACCOUNT],
    ]);
  });
});
