import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { bindingAddress } from '../../../server/addresses/ip-address.js';
import { FairPlaces, sharingNetwork } from '../../../server/addresses/fair-places.js';

describe('fair places', () => {
  it('are shared by the /24 of IPv4 and the /64 of IPv6', () => {
    assert.equal(sharingNetwork('192.0.2.77'), '192.0.2.0/24');
    assert.equal(sharingNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(sharingNetwork(bindingAddress('2001:db8:1:2:3:4:5:6')), '2001:db8:1:2::/64');
    assert.equal(sharingNetwork(''), 'unknown');
  });

  it('take the oldest place of the fullest network when all are taken', () => {
    const places = new FairPlaces<string>(4);
    for (const holder of ['a1', 'a2', 'a3']) assert.equal(places.take(`192.0.2.${holder.at(1)}`, holder), undefined);
    assert.equal(places.take('198.51.100.1', 'b1'), undefined);
    assert.equal(places.take('203.0.113.1', 'c1'), 'a1');
    assert.equal(places.take('192.0.2.9', 'a4'), 'a2', 'a network that is full loses its own');
    assert.deepEqual([...places.holders()].toSorted(), ['a3', 'a4', 'b1', 'c1']);
    assert.deepEqual([places.countOf('192.0.2.200'), places.oldestOf('192.0.2.200')], [2, 'a3']);
  });

  it('take the oldest place of all when no network has more than another', () => {
    const places = new FairPlaces<number>(3);
    for (let index = 0; index < 3; index += 1) places.take(`10.0.${index}.1`, index);
    assert.equal(places.take('10.0.9.1', 9), 0);
  });

  it('have room for each place that was released', () => {
    const places = new FairPlaces<string>(1);
    places.take('192.0.2.1', 'a');
    assert.equal(places.release('a'), true);
    assert.equal(places.release('a'), false);
    assert.equal(places.take('192.0.2.1', 'b'), undefined);
  });

  it('never end a place of a network with fewer than another, and are never more than there are', () => {
    const step = fc.oneof(
      fc.record({ name: fc.constant('take' as const), network: fc.nat(5) }),
      fc.record({ name: fc.constant('release' as const), index: fc.nat(30) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 100 }), (most, steps) => {
        const places = new FairPlaces<number>(most);
        /** The network of each holder, in the order of their places. */
        let model: { readonly holder: number; readonly network: number }[] = [];
        const countOf = (network: number) => model.filter((one) => one.network === network).length;
        for (const [holder, next] of steps.entries()) {
          if (next.name === 'release') {
            const released = model[next.index];
            if (released) assert.ok(places.release(released.holder));
            model = model.filter((one) => one !== released);
            continue;
          }
          const loser = places.take(`10.0.${next.network}.1`, holder);
          model.push({ holder, network: next.network });
          if (model.length <= most) assert.equal(loser, undefined);
          else {
            const lost = model.find((one) => one.holder === loser)!;
            const counts = model.map(({ network }) => countOf(network));
            assert.equal(countOf(lost.network), Math.max(...counts));
            assert.equal(
              lost,
              model.find(({ network }) => network === lost.network),
              'the oldest of its network',
            );
            model = model.filter((one) => one !== lost);
          }
          assert.deepEqual([...places.holders()].toSorted(), model.map((one) => one.holder).toSorted());
          assert.equal(places.countOf(`10.0.${next.network}.7`), countOf(next.network));
        }
      }),
    );
  });
});
