import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SequenceExtender } from '../../../../../server/media/embedded/producer/sequence-extender.js';

const RATE = 90_000;

/** Packets with timestamps to match, ten a second. */
function receiver(after = 0) {
  const extender = new SequenceExtender(RATE, after);
  let time = 0;
  const take = (sequence: number, timestamp = (time += 9_000)) => extender.extend(sequence & 0xffff, timestamp >>> 0);
  const takeAll = (...sequences: number[]) => sequences.map((sequence) => take(sequence));
  return { extender, take, takeAll };
}

describe('the extended sequence numbers of a sender', () => {
  it('go on after a jump back, from the second packet in sequence on', () => {
    const { extender, takeAll, take } = receiver();
    const [first] = takeAll(40_000, 40_001);
    assert.equal(take(20_000, 3_000_000_000), undefined);
    assert.equal(extender.isHeld, true);
    const restarted = take(20_001, 3_000_003_000)!;
    assert.equal(extender.isRestart, true);
    assert.equal(restarted, first! - 40_000 + 65_536 + 20_001);
    assert.equal(take(20_002, 3_000_006_000), restarted + 1);
    assert.equal(extender.isRestart, false);
  });

  it('go on after a wide gap', () => {
    const { takeAll } = receiver();
    const [first, ...rest] = takeAll(10, 5_000, 5_001, 5_002);
    assert.deepEqual(
      rest.map((extended) => extended && extended - first!),
      [undefined, 4_991, 4_992],
    );
  });

  it('are not changed by stray packets', () => {
    const { takeAll } = receiver();
    const [first, ...rest] = takeAll(10, 40_000, 11, 40_001, 12, 50_000, 20_000, 13);
    assert.deepEqual(
      rest.map((extended) => extended && extended - first!),
      [undefined, 1, undefined, 2, undefined, undefined, 3],
    );
  });

  it('are not changed by old packets that are sent again in sequence, to probe the network', () => {
    const { extender, take, takeAll } = receiver();
    takeAll(10_000, 10_001);
    // A second old.
    assert.deepEqual([take(8_000, 0), take(8_001, 0), take(8_002, 0)], [undefined, undefined, undefined]);
    assert.equal(extender.isHeld, false);
    assert.notEqual(take(10_002), undefined);
  });

  it('begin after those of the SSRC before', () => {
    for (const after of [65_537, 70_000, 200_000]) {
      for (const sequence of [0, 4_464, 65_535]) {
        const extended = receiver(after).take(sequence)!;
        assert.equal(extended % 65_536, sequence);
        assert.ok(extended - after >= 3_000 && extended - after < 3_000 + 65_536, `${after} ${sequence}`);
      }
    }
  });

  it('never go back, and follow the sender from two packets in sequence on, whatever it does', () => {
    const run = fc
      .record({ start: fc.nat(0xffff), length: fc.integer({ min: 3, max: 40 }), isLost: fc.array(fc.boolean()) })
      // The last two arrive.
      .map(({ start, length, isLost }) => ({ start, length, isLost: isLost.slice(0, length - 2) }));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 20 }), (runs) => {
        const { extender, take } = receiver();
        runs.forEach(({ start, length, isLost }, number) => {
          let last: number | undefined;
          for (let index = 0; index < length; index++) {
            if (isLost[index]) continue;
            const before = extender.highest;
            // Each run begins minutes later: its packets are not old ones that are sent again.
            last = take(start + index, number * 100_000_000 + index * 3_000);
            assert.ok(extender.highest >= before);
            if (last === undefined) continue;
            assert.equal(last % 0x10000, (start + index) % 0x10000);
            assert.ok(last > before - 1_024);
          }
          assert.notEqual(last, undefined);
        });
      }),
    );
  });
});
