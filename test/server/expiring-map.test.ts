import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExpiringMap } from '../../server/expiring-map.js';

describe('ExpiringMap', () => {
  const withClock = () => {
    const clock = { now: 0 };
    return { clock, map: new ExpiringMap<true>({ capacity: 3, lifeMs: 100, now: () => clock.now }) };
  };

  it('has an entry until it expires', () => {
    const { clock, map } = withClock();
    map.set('a', true);
    clock.now = 99;
    assert.deepEqual([map.has('a'), map.has('b')], [true, false]);
    clock.now = 100;
    assert.deepEqual([map.has('a'), map.get('a'), map.remainingMs('a')], [false, undefined, 0]);
  });

  it('gives an entry its full life again when it is set again', () => {
    const { clock, map } = withClock();
    map.set('a', true);
    clock.now = 60;
    map.set('b', true);
    map.set('a', true);
    clock.now = 150;
    assert.deepEqual([map.has('a'), map.has('b')], [true, true]);
    clock.now = 160;
    assert.equal(map.has('a'), false);
  });

  it('drops the oldest entries when it is full', () => {
    const { map } = withClock();
    for (const key of ['a', 'b', 'c', 'd', 'e']) map.set(key, true);
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].filter((key) => map.has(key)),
      ['c', 'd', 'e'],
    );
  });

  it('never holds more entries than its capacity, and drops expired ones', () => {
    let now = 0;
    const map = new ExpiringMap<number>({ capacity: 3, lifeMs: 10, now: () => now });
    for (let key = 0; key < 1_000; key += 1) map.set(`${key}`, key);
    assert.deepEqual([map.size, map.get('996'), map.get('997')], [3, undefined, 997]);
    now = 10;
    assert.deepEqual([map.get('997'), map.remainingMs('997')], [undefined, 0]);
    map.set('new', 1);
    assert.deepEqual([map.size, map.remainingMs('new')], [1, 10]);
  });
});
