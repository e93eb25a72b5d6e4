import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SequenceRewriter } from '../../../../../server/media/embedded/rtp/sequence-rewriter.js';

describe('SequenceRewriter', () => {
  it('keeps the source’s numbers as long as nothing is dropped', () => {
    const numbering = new SequenceRewriter();
    numbering.startSource(500);
    assert.deepEqual(
      [500, 502, 501].map((source) => numbering.rewrite(source)),
      [500, 502, 501],
    );
  });

  it('closes gaps of dropped packets, and keeps gaps of late ones', () => {
    const numbering = new SequenceRewriter();
    numbering.startSource(10);
    assert.equal(numbering.rewrite(10), 10);
    assert.equal(numbering.drop(11), true);
    assert.equal(numbering.rewrite(12), 11);
    assert.equal(numbering.rewrite(14), 13);
    assert.equal(numbering.drop(13), false, 'its number may be waited for');
    assert.equal(numbering.rewrite(13), 12);
  });

  it('continues when another source takes over, whatever its numbers', () => {
    const numbering = new SequenceRewriter();
    numbering.startSource(1_000);
    numbering.rewrite(1_000);
    numbering.drop(1_001);
    numbering.startSource(5);
    assert.deepEqual(
      [5, 6].map((source) => numbering.rewrite(source)),
      [1_001, 1_002],
    );
    assert.equal(numbering.newest, 1_002);
  });

  it('rejects numbers before the first', () => {
    const numbering = new SequenceRewriter();
    assert.equal(numbering.newest, undefined);
    numbering.startSource(1_000);
    numbering.rewrite(1_000);
    assert.equal(numbering.rewrite(999), undefined);
    assert.equal(numbering.originalOf(999), undefined);
  });

  it('forgets old numbers', () => {
    const numbering = new SequenceRewriter();
    numbering.startSource(0);
    for (let source = 0; source < 2_000; source++) numbering.rewrite(source);
    assert.equal(numbering.rewrite(900), undefined);
    assert.equal(numbering.originalOf(900), undefined);
    assert.equal(numbering.originalOf(1_500), 1_500);
  });

  it('leaves no gaps and finds the originals, whatever is dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 900 }), fc.nat(2 ** 40), (kept, first) => {
        const numbering = new SequenceRewriter();
        numbering.startSource(first);
        const given = new Map<number, number>();
        kept.forEach((keep, index) => {
          const source = first + index;
          if (keep) given.set(source, numbering.rewrite(source)!);
          else numbering.drop(source);
        });
        [...given.values()].forEach((number, index) => assert.equal(number, first + index));
        for (const [source, number] of given) assert.equal(numbering.originalOf(number), source);
      }),
    );
  });

  it('leaves a gap of one when the source skips more than a receiver can use', () => {
    const numbering = new SequenceRewriter();
    numbering.startSource(7);
    assert.equal(numbering.rewrite(7), 7);
    assert.equal(numbering.rewrite(7 + 1_024), 7 + 1_024);
    assert.equal(numbering.rewrite(50_000), 7 + 1_026);
    assert.equal(numbering.rewrite(49_999), undefined, 'it came before the skip');
    assert.equal(numbering.originalOf(7 + 1_026), 50_000);
    assert.equal(numbering.drop(100_000), true);
    assert.equal(numbering.rewrite(100_001), 7 + 1_028);
  });

  it('never takes a step that SRTP cannot follow, however far the source skips', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 15 }), { minLength: 1 }), (skips) => {
        const numbering = new SequenceRewriter();
        numbering.startSource(0);
        let [source, last] = [0, numbering.rewrite(0)!];
        for (const skip of skips) {
          source += skip;
          const number = numbering.rewrite(source)!;
          assert.ok(number > last && number - last <= 1_024, `${last} is followed by ${number}`);
          last = number;
        }
      }),
    );
  });

  it('never gives one number twice, in any order of packets', () => {
    const arrivals = fc
      .array(fc.record({ keep: fc.boolean(), delay: fc.nat(20) }), { maxLength: 200 })
      .map((packets) =>
        packets
          .map((packet, source) => ({ ...packet, source: source + 100 }))
          .toSorted((a, b) => a.source + a.delay - (b.source + b.delay)),
      );
    fc.assert(
      fc.property(arrivals, (packets) => {
        const numbering = new SequenceRewriter();
        const given: number[] = [];
        if (packets[0]) numbering.startSource(packets[0].source);
        for (const { source, keep } of packets) {
          const number = keep || !numbering.drop(source) ? numbering.rewrite(source) : undefined;
          if (number !== undefined) given.push(number);
        }
        assert.equal(new Set(given).size, given.length);
      }),
    );
  });
});
