import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WantedEncodings } from '../../../../../server/media/embedded/producer/wanted-encodings.js';

describe('WantedEncodings', () => {
  it('wants an encoding at once when it is used, and for two seconds after', () => {
    const wanted = new WantedEncodings();
    const said = [
      wanted.update([], 0),
      wanted.update([1], 100),
      wanted.update([1], 200),
      wanted.update([0], 300),
      wanted.update([0], 2_200),
      wanted.update([0], 2_201),
      wanted.update([], 5_000),
    ];
    assert.deepEqual(said, [undefined, [1], undefined, [0, 1], undefined, [0], []]);
  });

  it('always wants what is in use', () => {
    const steps = fc.array(fc.tuple(fc.uniqueArray(fc.nat(3)), fc.nat(3_000)));
    fc.assert(
      fc.property(steps, (each) => {
        const wanted = new WantedEncodings();
        let now = 0;
        let last: readonly number[] = [];
        for (const [inUse, after] of each) {
          now += after;
          last = wanted.update(inUse, now) ?? last;
          assert.ok(inUse.every((index) => last.includes(index)));
          assert.equal(wanted.isChanged(inUse), false);
        }
      }),
    );
  });
});
