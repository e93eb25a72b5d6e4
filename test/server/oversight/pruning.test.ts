import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Pruning, RETRY_MS } from '../../../server/oversight/pruning.js';

const START = Date.parse('2030-01-01T00:00:00Z');
const EVERY_MS = 3_600_000;

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Pruning', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'], now: START }));
  afterEach(() => mock.timers.reset());

  /** Runs that the test can fail or delay. `runs` has the time of each, since the start. */
  const aPruning = () => {
    const runs: number[] = [];
    const failed: unknown[] = [];
    const parts = { run: async (_signal: AbortSignal): Promise<void> => {} };
    const pruning = new Pruning({
      name: 'delete things',
      everyMs: EVERY_MS,
      onFailed: (error) => failed.push(error),
      prune: async (now, signal) => {
        runs.push(now - START);
        await parts.run(signal);
      },
    });
    return { pruning, parts, runs, failed };
  };

  it('runs at the start and after each interval, with the present time', async () => {
    const { pruning, runs } = aPruning();
    pruning.start();
    await settled();
    mock.timers.tick(EVERY_MS - 1);
    assert.deepEqual(runs, [0]);
    mock.timers.tick(1);
    await settled();
    mock.timers.tick(EVERY_MS);
    assert.deepEqual(runs, [0, EVERY_MS, 2 * EVERY_MS]);
    await pruning.close();
    mock.timers.tick(EVERY_MS);
    assert.equal(runs.length, 3);
  });

  it('reports a failed run, also the first one, and runs again soon, because the cause may be over', async () => {
    const { pruning, parts, runs, failed } = aPruning();
    const away = new Error('the database is away');
    parts.run = () => Promise.reject(away);
    pruning.start();
    await settled();
    assert.equal(pruning.isFailing, true);
    mock.timers.tick(RETRY_MS);
    await settled();
    parts.run = async () => {};
    mock.timers.tick(RETRY_MS);
    await settled();
    assert.equal(pruning.isFailing, false);
    mock.timers.tick(EVERY_MS - 2 * RETRY_MS);
    await pruning.close();
    assert.deepEqual(
      [failed, runs],
      [
        [away, away],
        [0, RETRY_MS, 2 * RETRY_MS, EVERY_MS],
      ],
    );
  });

  it('does not run again after a failure when it is closed', async () => {
    const { pruning, parts, runs } = aPruning();
    parts.run = () => Promise.reject(new Error('the database is away'));
    pruning.start();
    await pruning.close();
    mock.timers.tick(EVERY_MS);
    assert.deepEqual(runs, [0]);
  });

  it('does not start a run during another one', async () => {
    const { pruning, parts, runs } = aPruning();
    let end = (): void => {};
    parts.run = () => new Promise<void>((resolve) => (end = resolve));
    pruning.start();
    mock.timers.tick(EVERY_MS);
    assert.deepEqual(runs, [0]);
    end();
    await settled();
    mock.timers.tick(EVERY_MS);
    assert.deepEqual(runs, [0, 2 * EVERY_MS]);
    end();
    await pruning.close();
  });

  it('aborts the present run when it is closed, and waits for its end', async () => {
    const { pruning, parts } = aPruning();
    let end = (): void => {};
    let stopped = false;
    parts.run = async (signal) => {
      await new Promise<void>((resolve) => (end = resolve));
      stopped = signal.aborted;
    };
    pruning.start();
    let closed = false;
    const closing = pruning.close().then(() => (closed = true));
    await settled();
    assert.equal(closed, false);
    end();
    await closing;
    assert.equal(stopped, true);
  });
});
