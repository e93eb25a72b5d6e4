import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Numbering } from '../../../../../server/media/embedded/rtp/numbering.js';

describe('numbers without a gap', () => {
  it('are the source’s own as long as nothing is left out', () => {
    const numbering = new Numbering();
    numbering.begin(500);
    assert.deepEqual(
      [500, 502, 501].map((source) => numbering.place(source)),
      [500, 502, 501],
    );
  });

  it('close up over what is left out, and leave a place for what is late', () => {
    const numbering = new Numbering();
    numbering.begin(10);
    assert.equal(numbering.place(10), 10);
    assert.equal(numbering.leaveOut(11), true);
    assert.equal(numbering.place(12), 11);
    assert.equal(numbering.place(14), 13);
    assert.equal(numbering.leaveOut(13), false, 'its number may be waited for');
    assert.equal(numbering.place(13), 12);
  });

  it('go on when another source takes over, whatever its numbers', () => {
    const numbering = new Numbering();
    numbering.begin(1_000);
    numbering.place(1_000);
    numbering.leaveOut(1_001);
    numbering.begin(5);
    assert.deepEqual(
      [5, 6].map((source) => numbering.place(source)),
      [1_001, 1_002],
    );
    assert.equal(numbering.newest, 1_002);
  });

  it('know nothing of what came before the first', () => {
    const numbering = new Numbering();
    assert.equal(numbering.newest, undefined);
    numbering.begin(1_000);
    numbering.place(1_000);
    assert.equal(numbering.place(999), undefined);
    assert.equal(numbering.sourceOf(999), undefined);
  });

  it('forget what is long ago', () => {
    const numbering = new Numbering();
    numbering.begin(0);
    for (let source = 0; source < 2_000; source++) numbering.place(source);
    assert.equal(numbering.place(900), undefined);
    assert.equal(numbering.sourceOf(900), undefined);
    assert.equal(numbering.sourceOf(1_500), 1_500);
  });

  it('are without a gap and lead back, whatever is left out', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 900 }), fc.nat(2 ** 40), (kept, first) => {
        const numbering = new Numbering();
        numbering.begin(first);
        const given = new Map<number, number>();
        kept.forEach((keep, index) => {
          const source = first + index;
          if (keep) given.set(source, numbering.place(source)!);
          else numbering.leaveOut(source);
        });
        [...given.values()].forEach((number, index) => assert.equal(number, first + index));
        for (const [source, number] of given) assert.equal(numbering.sourceOf(number), source);
      }),
    );
  });

  it('miss one where the source skips more than a receiver can make use of', () => {
    const numbering = new Numbering();
    numbering.begin(7);
    assert.equal(numbering.place(7), 7);
    assert.equal(numbering.place(7 + 1_024), 7 + 1_024);
    assert.equal(numbering.place(50_000), 7 + 1_026);
    assert.equal(numbering.place(49_999), undefined, 'it came before the skip');
    assert.equal(numbering.sourceOf(7 + 1_026), 50_000);
    assert.equal(numbering.leaveOut(100_000), true);
    assert.equal(numbering.place(100_001), 7 + 1_028);
  });

  it('never take a step that SRTP cannot follow, however far the source skips', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 15 }), { minLength: 1 }), (skips) => {
        const numbering = new Numbering();
        numbering.begin(0);
        let [source, last] = [0, numbering.place(0)!];
        for (const skip of skips) {
          source += skip;
          const number = numbering.place(source)!;
          assert.ok(number > last && number - last <= 1_024, `${last} is followed by ${number}`);
          last = number;
        }
      }),
    );
  });

  it('never give one number twice, in whatever order packets come', () => {
    const arrivals = fc
      .array(fc.record({ keep: fc.boolean(), delay: fc.nat(20) }), { maxLength: 200 })
      .map((packets) =>
        packets
          .map((packet, source) => ({ ...packet, source: source + 100 }))
          .toSorted((a, b) => a.source + a.delay - (b.source + b.delay)),
      );
    fc.assert(
      fc.property(arrivals, (packets) => {
        const numbering = new Numbering();
        const given: number[] = [];
        if (packets[0]) numbering.begin(packets[0].source);
        for (const { source, keep } of packets) {
          const number = keep || !numbering.leaveOut(source) ? numbering.place(source) : undefined;
          if (number !== undefined) given.push(number);
        }
        assert.equal(new Set(given).size, given.length);
      }),
    );
  });
});
