import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { admitViewers } from '../../../bench/media/admit-viewers.js';
import { attempt, Misses, NoPictureError, RefusedError, within } from '../../../bench/crowds/misses.js';

describe('the viewers of a benchmark that see nothing', () => {
  it('are counted by what happened to them, and the others go on', async () => {
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

  it('do not hide a fault of the benchmark itself', async () => {
    await assert.rejects(attempt(Promise.reject(new TypeError('a fault'))), TypeError);
    await assert.rejects(within(60_000, Promise.reject(new RefusedError('busy')), 'the picture'), RefusedError);
    await assert.rejects(within(1, new Promise(() => {}), 'the picture'), NoPictureError);
  });
});

describe('admitViewers', () => {
  /** Lets in as many of each group as the list says, and then all. */
  const door = (...letIn: number[]) => {
    const groups: number[] = [];
    const pauses: number[] = [];
    return {
      groups,
      pauses,
      connect: async (viewers: number) => {
        groups.push(viewers);
        return letIn.shift() ?? viewers;
      },
      pause: async (ms: number) => pauses.push(ms),
    };
  };

  it('has them come ten at a time', async () => {
    const { connect, pause, groups, pauses } = door();
    assert.deepEqual(await admitViewers(25, connect, pause), { admitted: 25, refused: 0 });
    assert.deepEqual([groups, pauses], [[10, 10, 5], []]);
  });

  it('has those ask again who were refused, and counts them', async () => {
    const { connect, pause, groups, pauses } = door(10, 4, 0);
    assert.deepEqual(await admitViewers(20, connect, pause), { admitted: 20, refused: 12 });
    assert.deepEqual([groups, pauses.length], [[10, 10, 6, 6], 2]);
  });

  it('makes do with those who are in when the others are refused again and again', async () => {
    const { connect, pause, groups } = door(10, 3, 0, 0, 0, 0);
    assert.deepEqual(await admitViewers(20, connect, pause), { admitted: 13, refused: 35 });
    assert.equal(groups.length, 6);
  });
});
