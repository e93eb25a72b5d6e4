import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { AuditPruning, PRUNE_EVERY_MS } from '../../../server/oversight/audit-pruning.js';
import { AUDIT_KEPT_MS } from '../../../server/oversight/audit-store.js';

const START = Date.parse('2030-01-01T00:00:00Z');

describe('AuditPruning', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'Date'], now: START }));
  afterEach(() => mock.timers.reset());

  /** Keeps the times that it is told to prune by; `prune` may be made to fail. */
  const aStore = () => {
    const store = {
      pruned: [] as number[],
      async prune(time: number) {
        store.pruned.push(time - (START - AUDIT_KEPT_MS));
      },
    };
    return store;
  };

  it('forgets at the start and once a day, by the time that it then is', async () => {
    const store = aStore();
    const pruning = new AuditPruning({ store });
    await pruning.start();
    assert.deepEqual(store.pruned, [0]);
    mock.timers.tick(PRUNE_EVERY_MS - 1);
    assert.equal(store.pruned.length, 1);
    mock.timers.tick(1);
    mock.timers.tick(PRUNE_EVERY_MS);
    assert.deepEqual(store.pruned, [0, PRUNE_EVERY_MS, 2 * PRUNE_EVERY_MS]);
    await pruning.close();
    mock.timers.tick(PRUNE_EVERY_MS);
    assert.equal(store.pruned.length, 3);
  });

  it('tells of a day on which it failed, and tries the next', async () => {
    const store = aStore();
    const failed: unknown[] = [];
    const pruning = new AuditPruning({ store, onFailed: (error) => failed.push(error) });
    await pruning.start();
    const away = new Error('the database is away');
    const broken = mock.method(store, 'prune', () => Promise.reject(away));
    mock.timers.tick(PRUNE_EVERY_MS);
    broken.mock.restore();
    mock.timers.tick(PRUNE_EVERY_MS);
    await pruning.close();
    assert.deepEqual([failed, store.pruned], [[away], [0, 2 * PRUNE_EVERY_MS]]);
  });

  it('does not start on a store that cannot be pruned', async () => {
    const store = aStore();
    mock.method(store, 'prune', () => Promise.reject(new Error('no')));
    await assert.rejects(new AuditPruning({ store }).start(), /no/);
    mock.timers.tick(PRUNE_EVERY_MS);
  });

  it('waits, when it is closed, until the store has answered', async () => {
    let answer = () => {};
    const store = aStore();
    const pruning = new AuditPruning({ store });
    await pruning.start();
    mock.method(store, 'prune', () => new Promise<void>((resolve) => (answer = resolve)));
    mock.timers.tick(PRUNE_EVERY_MS);
    let closed = false;
    const closing = pruning.close().then(() => (closed = true));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(closed, false);
    answer();
    await closing;
  });
});
