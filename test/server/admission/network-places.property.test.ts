import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { NetworkPlaces } from '../../../server/admission/network-places.js';

const MINUTE = 60_000;

/** When who fetches, in order. */
const fetches = fc
  .array(fc.record({ network: fc.nat({ max: 40 }), after: fc.nat({ max: 20_000 }) }), { maxLength: 200 })
  .map((list) => {
    let now = 0;
    return list.map(({ network, after }) => ({ network: String(network), now: (now += after) }));
  });

describe('the networks of one viewing', () => {
  it('are at most two at a time, however many ask, and whatever was before', () => {
    fc.assert(
      fc.property(fetches, (list) => {
        const places = new NetworkPlaces();
        for (const { network, now } of list) places.take(network, now);
        const now = list.at(-1)?.now ?? 0;
        const ask = () => Array.from({ length: 50 }, (_, network) => places.take(String(network), now));
        ask();
        assert.ok(ask().filter(Boolean).length <= 2);
      }),
    );
  });

  it('do not take turns: who lost a place is refused for ten minutes', () => {
    const places = new NetworkPlaces();
    assert.deepEqual(
      ['a', 'b', 'c', 'a', 'b', 'c'].map((network, index) => places.take(network, index)),
      [true, true, true, false, true, true],
    );
    assert.equal(places.take('a', 2 + 10 * MINUTE - 1), false);
    assert.equal(places.take('a', 2 + 10 * MINUTE), true);
  });

  it('leave their place when they fetch nothing for a minute', () => {
    const places = new NetworkPlaces();
    for (let move = 0; move < 100; move += 1) assert.equal(places.take(`network ${move}`, move * MINUTE), true);
  });

  it('come back when they left by themselves: nobody took their place', () => {
    const places = new NetworkPlaces();
    const taken = [
      places.take('a', 0),
      places.take('b', MINUTE),
      places.take('c', MINUTE + 1),
      places.take('a', MINUTE + 2),
    ];
    assert.deepEqual(taken, [true, true, true, true]);
    assert.equal(places.take('b', MINUTE + 3), false);
  });

  it('lose their place if they fetched longest ago', () => {
    const places = new NetworkPlaces();
    const taken = ['a', 'b', 'a', 'c'].map((network, index) => places.take(network, index));
    assert.deepEqual(taken, [true, true, true, true]);
    assert.deepEqual([places.take('a', 5), places.take('b', 6)], [true, false]);
  });

  it('always have a place when there are two', () => {
    fc.assert(
      fc.property(fetches, (list) => {
        const places = new NetworkPlaces();
        for (const { network, now } of list) assert.ok(places.take(String(Number(network) % 2), now));
      }),
    );
  });

  it('keep no more than sixteen in memory, and refuse the others', () => {
    const places = new NetworkPlaces();
    const served = Array.from({ length: 1_000 }, (_, index) => places.take(String(index), index));
    assert.equal(served.filter(Boolean).length, 16);
  });
});
