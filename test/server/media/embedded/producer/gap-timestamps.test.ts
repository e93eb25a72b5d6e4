import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GapTimestamps } from '../../../../../server/media/embedded/producer/gap-timestamps.js';

const FRAME = 960;

function received(...sequences: readonly number[]): GapTimestamps {
  const gaps = new GapTimestamps();
  for (const sequence of sequences) gaps.add(sequence, (sequence * FRAME) >>> 0);
  return gaps;
}

describe('the sequence number of a lost packet, by its timestamp', () => {
  it('is the only one that is missing', () => {
    assert.equal(received(70_001, 70_003).find(70_002 * FRAME, 70_003), 70_002);
    // The frame before the lost one was longer.
    assert.equal(received(1, 3).find(FRAME + 7, 3), 2);
  });

  it('is the one at that place of an even gap, across the wrap of timestamps', () => {
    const first = Math.floor(2 ** 32 / FRAME) - 2;
    const gaps = received(first, first + 5);
    for (const lost of [1, 2, 3, 4]) assert.equal(gaps.find((first + lost) * FRAME, first + 5), first + lost);
  });

  it('is unknown if the gap is uneven', () => {
    assert.equal(received(1, 4).find(2 * FRAME + 10, 4), undefined);
  });

  it('is unknown if nothing is missing there', () => {
    const gaps = received(1, 2, 3);
    for (const timestamp of [1, 2, 3, 4].map((n) => n * FRAME)) assert.equal(gaps.find(timestamp, 3), undefined);
    assert.equal(gaps.find(2 * FRAME - 10, 3), undefined);
    assert.equal(gaps.find(0, 3), undefined);
  });

  it('is never that of a packet that arrived, whatever the timestamps are', () => {
    const packet = fc.record({
      skip: fc.integer({ min: 1, max: 5 }),
      timestamp: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    });
    fc.assert(
      fc.property(fc.array(packet, { minLength: 1, maxLength: 80 }), fc.integer(), (packets, wanted) => {
        const gaps = new GapTimestamps();
        const sequences = new Set<number>();
        let sequence = 0;
        for (const { skip, timestamp } of packets) {
          sequence += skip;
          sequences.add(sequence);
          gaps.add(sequence, timestamp);
        }
        const found = gaps.find(wanted, sequence);
        if (found !== undefined)
          assert.ok(Number.isInteger(found) && found > 0 && found < sequence && !sequences.has(found));
      }),
    );
  });
});
