import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PacingState } from '../../../../../server/media/embedded/producer/frame-pacer.js';
import { PacingLoop } from '../../../../../server/media/embedded/worker/pacing-loop.js';

/** A loop whose calls have these results. `done` resolves with the last of them. */
function openLoop(results: readonly PacingState[]) {
  let calls = 0;
  let finish = () => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  const loop = new PacingLoop(() => {
    const result = results[calls++] ?? 'idle';
    if (calls === results.length) finish();
    return result;
  });
  return { loop, done, calls: () => calls };
}

describe('PacingLoop', () => {
  it('runs until nothing is held, and again when it is started again', async () => {
    const { loop, done, calls } = openLoop(['later', 'now', 'idle', 'idle']);
    loop.start();
    while (calls() < 3) await nextTurn();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(calls(), 3);
    loop.start();
    await done;
    assert.equal(calls(), 4);
  });

  it('lets other work run between two batches', async () => {
    const { loop, calls } = openLoop(['now', 'now', 'now', 'idle']);
    loop.start();
    const seen: number[] = [];
    while (calls() < 4) {
      seen.push(calls());
      await nextTurn();
    }
    assert.deepEqual(seen, [0, 1, 2, 3]);
  });

  it('runs at the end of a turn in which it is started, even if it waits for the next time', async () => {
    const { loop, calls } = openLoop(['later', 'idle']);
    loop.start();
    await nextTurn();
    assert.equal(calls(), 1);
    loop.start();
    await nextTurn();
    assert.equal(calls(), 2);
  });

  it('starts once, and stops', async () => {
    const { loop, calls } = openLoop(['now', 'now', 'now', 'now']);
    loop.start();
    loop.start();
    await nextTurn();
    assert.equal(calls(), 1);
    loop.stop();
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.equal(calls(), 1);
  });
});
