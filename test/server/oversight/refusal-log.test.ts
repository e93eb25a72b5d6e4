import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Refusal, TimedRefusal } from '../../../server/oversight/refusal.js';
import {
  FLUSH_AFTER_MS,
  MAX_PENDING,
  MAX_PENDING_OF_ACCOUNT,
  RefusalLog,
} from '../../../server/oversight/refusal-log.js';
import { REFUSALS_KEPT, REFUSALS_KEPT_MS, type RefusalStore } from '../../../server/oversight/refusal-store.js';

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
  let log: RefusalLog;

  const store: RefusalStore = {
    async add(refusals) {
      if (fault) throw fault;
      batches.push([...refusals]);
    },
    list: () => Promise.resolve({ refusals: [], total: batches.length }),
    async prune(time, most) {
      pruned.push([time, most]);
    },
  };

  beforeEach(() => {
    for (const list of [batches, pruned, told]) list.length = 0;
    fault = undefined;
    mock.timers.enable({ apis: ['setTimeout'] });
    log = new RefusalLog({
      store,
      now: () => REFUSALS_KEPT_MS + 5,
      onDropped: (...said) => told.push([...said, undefined].slice(0, 2) as [number, unknown]),
    });
  });
  afterEach(() => mock.timers.reset());

  const record = (times: number, change: Partial<Refusal> = {}) => {
    for (let turn = 0; turn < times; turn += 1) log.record({ ...refusal, ...change });
  };

  it('writes all that came within half a second in one go, with the time at which each came', async () => {
    record(3);
    mock.timers.tick(FLUSH_AFTER_MS - 1);
    assert.equal(batches.length, 0);
    mock.timers.tick(1);
    await log.flush();
    assert.deepEqual(batches, [Array.from({ length: 3 }, () => ({ ...refusal, time: REFUSALS_KEPT_MS + 5 }))]);
  });

  it('writes on demand, and then no second time', async () => {
    record(1);
    await log.flush();
    mock.timers.tick(FLUSH_AFTER_MS);
    await log.flush();
    assert.equal(batches.length, 1);
  });

  it('shows those who were refused a moment ago', async () => {
    record(1);
    assert.equal((await log.list('acme', { page: 1, itemsOnPage: 1 })).total, 1);
  });

  it('keeps so many and no more between two writes, and says how many it did not', async () => {
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

  it('leaves room for the other accounts when one is flooded', async () => {
    record(10_000, { accountId: 'flooded' });
    record(1, { accountId: 'quiet' });
    await log.flush();
    assert.equal(batches[0]?.filter(({ accountId }) => accountId === 'quiet').length, 1);
    assert.equal(log.dropped, 10_000 - MAX_PENDING_OF_ACCOUNT);
  });

  it('goes on when the database fails, and tells what that cost', async () => {
    fault = new Error('disk full');
    record(2);
    await log.flush();
    assert.deepEqual([log.dropped, told], [2, [[2, fault]]]);
    fault = undefined;
    record(1);
    await log.flush();
    assert.equal(batches.length, 1);
  });

  it('cuts what clients write to a length, and keeps no NUL', async () => {
    record(1, { origin: 'x'.repeat(10_000), streamName: 'a\0b' });
    await log.flush();
    assert.deepEqual([batches[0]?.[0]?.origin?.length, batches[0]?.[0]?.streamName], [256, 'a\uFFFDb']);
  });

  it('cleans up at the start and every thousand refusals', async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      record(MAX_PENDING_OF_ACCOUNT);
      await log.flush();
    }
    assert.deepEqual(pruned, [
      [5, REFUSALS_KEPT],
      [5, REFUSALS_KEPT],
    ]);
  });
});
