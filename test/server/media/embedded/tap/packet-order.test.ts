import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PacketOrder } from '../../../../../server/media/embedded/tap/packet-order.js';

function receiver({ waitMs = 100, maxWaiting = 1_000 } = {}) {
  const seen: (number | 'gap' | 'restart')[] = [];
  const order = new PacketOrder<number>({
    waitMs,
    maxWaiting,
    onPacket: (packet) => seen.push(packet),
    onGap: () => seen.push('gap'),
    onRestart: () => seen.push('restart'),
  });
  const add = (...sequences: number[]) => sequences.forEach((sequence) => order.add(sequence, sequence, 0));
  return { order, seen, add };
}

describe('packets', () => {
  it('are put in order, from the first one on, each once', () => {
    const { seen, add } = receiver();
    add(5, 7, 7, 6, 5, 4, 8);
    assert.deepEqual(seen, [5, 6, 7, 8]);
  });

  it('after a missing one wait, and go on without it in time', () => {
    const { order, seen, add } = receiver();
    add(1, 3, 4);
    order.tick(99);
    assert.deepEqual(seen, [1]);
    order.tick(100);
    assert.deepEqual(seen, [1, 'gap', 3, 4]);
    order.add(2, 2, 101);
    assert.deepEqual(seen, [1, 'gap', 3, 4]);
  });

  it('after two gaps wait for each', () => {
    const { order, seen, add } = receiver();
    add(1, 3);
    order.add(5, 5, 60);
    order.add(2, 2, 80);
    order.tick(110);
    assert.deepEqual(seen, [1, 2, 3]);
    order.tick(180);
    assert.deepEqual(seen, [1, 2, 3, 'gap', 5]);
  });

  it('do not pile up', () => {
    const { seen, add } = receiver({ maxWaiting: 2 });
    add(1, 3, 4, 5);
    assert.deepEqual(seen, [1, 'gap', 3, 4, 5]);
  });

  it('after a big jump go on at once, ahead and back, without waiting', () => {
    const { seen, add } = receiver();
    add(1, 2, 4, 70_000, 70_001, 70_002);
    assert.deepEqual(seen, [1, 2, 'gap', 4, 'gap', 'restart', 70_000, 70_001, 70_002]);
    add(9, 10, 11);
    assert.deepEqual(seen.slice(9), ['gap', 'restart', 9, 10, 11]);
  });

  it('that are far from all others, and alone, are left out', () => {
    const { seen, add } = receiver();
    add(1, 70_000, 2, 90_000, 70_001, 3);
    assert.deepEqual(seen, [1, 2, 3]);
  });

  it('that have arrived are delivered at the end', () => {
    const { order, seen, add } = receiver();
    add(1, 3, 5);
    order.end(0);
    assert.deepEqual(seen, [1, 'gap', 3, 'gap', 5]);
  });

  it('in any order, some of them twice or never, come out ascending, all that came after the first', () => {
    const arrivals = fc.array(fc.record({ sequence: fc.integer({ min: 0, max: 60 }), after: fc.nat(80) }));
    fc.assert(
      fc.property(arrivals, (packets) => {
        const { order, seen } = receiver({ maxWaiting: 8 });
        let now = 0;
        for (const { sequence, after } of packets) {
          order.tick((now += after));
          order.add(sequence, sequence, now);
        }
        order.end(now);
        const delivered = seen.filter((entry) => typeof entry === 'number');
        assert.deepEqual(
          delivered,
          [...new Set(delivered)].sort((a, b) => a - b),
        );
        for (const [index, sequence] of delivered.entries()) {
          const isGap = index > 0 && delivered[index - 1] !== sequence - 1;
          assert.equal(seen[seen.indexOf(sequence) - 1] === 'gap', isGap);
        }
        if (packets.length) assert.equal(delivered[0], packets[0]!.sequence);
      }),
    );
  });

  it('are delivered again soon after any jump, whatever was before', () => {
    const far = fc.integer({ min: 0, max: 2 ** 40 });
    fc.assert(
      fc.property(fc.array(far, { maxLength: 30 }), far, (before, start) => {
        const { order, seen } = receiver({ maxWaiting: 8 });
        let now = 0;
        for (const sequence of before) order.add(sequence, sequence, (now += 20));
        const run = Array.from({ length: 3_100 }, (_, index) => start + index);
        for (const sequence of run) {
          order.tick((now += 20));
          order.add(sequence, sequence, now);
        }
        // Within the jump that counts as late, packets are left out until the numbers have caught up.
        assert.deepEqual(seen.slice(-50), run.slice(-50));
      }),
      { numRuns: 30 },
    );
  });
});
