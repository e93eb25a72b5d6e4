import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { until } from '../support/media/until.js';
import { ownSpareMemory, SpareMemory, type ProcessLook } from '../../server/spare-memory.js';

const MB = 1024 * 1024;

describe('memory that a load has left', () => {
  let now: ProcessLook;
  /** What the process has after a collection. */
  let keptMb: number;
  let released: [beforeMb: number, afterMb: number][];
  let spare: SpareMemory;

  beforeEach(() => {
    [keptMb, released] = [150, []];
    spare = new SpareMemory({
      look: () => now,
      async release() {
        now = { ...now, residentBytes: keptMb * MB };
      },
      onReleased: (before, after) => released.push([before / MB, after / MB]),
    });
  });

  const look = async (megabytes: number, busy = 0): Promise<void> => {
    now = { residentBytes: megabytes * MB, busy };
    await spare.check();
  };

  it('goes back to the system when the process has been idle for two looks', async () => {
    await look(140);
    await look(400, 0.9);
    await look(400);
    assert.deepEqual(released, []);
    await look(400, 0.05);
    assert.deepEqual(released, [[400, 150]]);
  });

  it('stays while the process is busy, because a collection would stop it', async () => {
    await look(140);
    for (let time = 0; time < 10; time += 1) {
      await look(400, 0.2);
      await look(400, 0.05);
    }
    assert.deepEqual(released, []);
  });

  it('stays if it is little', async () => {
    await look(140);
    await look(180);
    await look(180);
    assert.deepEqual(released, []);
  });

  it('is looked for once, however much is in use, until a load leaves more', async () => {
    await look(140);
    keptMb = 350;
    for (let time = 0; time < 10; time += 1) await look(360);
    assert.deepEqual(released, [[360, 350]]);
    for (const megabytes of [500, 500, 350, 350, 350]) await look(megabytes);
    assert.deepEqual(released.slice(1), [[500, 350]]);
  });

  it('of this process goes back, with what V8 keeps of its heap', async () => {
    let released = false;
    const own = ownSpareMemory((before, after) => {
      released = true;
      assert.ok(before - after > 50 * MB, `${before} -> ${after}`);
    });
    await own.check();
    let kept = Array.from({ length: 2_000_000 }, (_, index) => ({ index }));
    assert.ok(process.memoryUsage().heapUsed > 50 * MB);
    kept = [];
    await until('the process has been idle', async () => {
      await own.check();
      return released;
    });
    assert.equal(kept.length, 0);
  });
});
