import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { admitViewers } from '../../../bench/media/admit-viewers.js';
import { attempt, Misses, NoPictureError, RefusedError, within } from '../../../bench/crowds/misses.js';

describe('the viewers of a benchmark without a picture', () => {
  it('are counted by reason, and the others continue', async () => {
    const misses = new Misses();
    const attempts = await Promise.all([
      attempt(Promise.resolve(7)),
      attempt(Promise.reject<number>(new RefusedError('engine_unavailable'))),
      attempt(within(1, new Promise<number>(() => {}), 'the picture')),
      attempt(within(60_000, Promise.resolve(8), 'the picture')),
    ]);
    assert.deepEqual(misses.countMisses(attempts), [7, 8]);
    assert.deepEqual(misses.figures, { refused: 1, withoutPicture: 1 });
  });

  it('do not hide an error of the benchmark itself', async () => {
    await assert.rejects(attempt(Promise.reject(new TypeError('an error'))), TypeError);
    await assert.rejects(within(60_000, Promise.reject(new RefusedError('busy')), 'the picture'), RefusedError);
    await assert.rejects(within(1, new Promise(() => {}), 'the picture'), NoPictureError);
  });
});

describe('admitViewers', () => {
  /** Admits this many viewers of each group, and then all. */
  const admitting = (...admitted: number[]) => {
    const groups: number[] = [];
    const pauses: number[] = [];
    return {
      groups,
      pauses,
      connect: async (viewers: number) => {
        groups.push(viewers);
        return admitted.shift() ?? viewers;
      },
      pause: async (ms: number) => pauses.push(ms),
    };
  };

  it('connects ten viewers at a time', async () => {
    const { connect, pause, groups, pauses } = admitting();
    assert.deepEqual(await admitViewers(25, connect, pause), { admitted: 25, refused: 0 });
    assert.deepEqual([groups, pauses], [[10, 10, 5], []]);
  });

  it('lets refused viewers try again, and counts the refusals', async () => {
    const { connect, pause, groups, pauses } = admitting(10, 4, 0);
    assert.deepEqual(await admitViewers(20, connect, pause), { admitted: 20, refused: 12 });
    assert.deepEqual([groups, pauses.length], [[10, 10, 6, 6], 2]);
  });

  it('continues with fewer viewers when the others are refused at every attempt', async () => {
    const { connect, pause, groups } = admitting(10, 3, 0, 0, 0, 0);
    assert.deepEqual(await admitViewers(20, connect, pause), { admitted: 13, refused: 35 });
    assert.equal(groups.length, 6);
  });
});
