import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecentMisses } from '../../server/tokens/recent-misses.js';

describe('RecentMisses', () => {
  const withClock = () => {
    const clock = { now: 0 };
    return { clock, misses: new RecentMisses({ most: 3, keptMs: 100 }, () => clock.now) };
  };

  it('knows what was added until its time is over', () => {
    const { clock, misses } = withClock();
    misses.add('a');
    clock.now = 99;
    assert.deepEqual([misses.has('a'), misses.has('b')], [true, false]);
    clock.now = 100;
    assert.equal(misses.has('a'), false);
  });

  it('begins the time anew when something is added again', () => {
    const { clock, misses } = withClock();
    misses.add('a');
    clock.now = 60;
    misses.add('b');
    misses.add('a');
    clock.now = 150;
    assert.deepEqual([misses.has('a'), misses.has('b')], [true, true]);
    clock.now = 160;
    assert.equal(misses.has('a'), false);
  });

  it('forgets the oldest when there are too many', () => {
    const { misses } = withClock();
    for (const key of ['a', 'b', 'c', 'd', 'e']) misses.add(key);
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].filter((key) => misses.has(key)),
      ['c', 'd', 'e'],
    );
  });
});
