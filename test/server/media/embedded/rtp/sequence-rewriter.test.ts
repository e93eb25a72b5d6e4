import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SequenceRewriter } from '../../../../../server/media/embedded/rtp/sequence-rewriter.js';

describe('SequenceRewriter', () => {
  it('begins in the lower half of 16 bits, where no receiver can miss a wrap', () => {
    for (const first of [0, 500, 32_767, 32_768, 65_535, 65_536, 2 ** 40 + 40_000]) {
      const rewriter = new SequenceRewriter();
      rewriter.startSource(first);
      assert.equal(rewriter.rewrite(first), first % 2 ** 15);
      assert.equal(rewriter.rewrite(first + 1), (first % 2 ** 15) + 1);
      assert.equal(rewriter.originalOf((first % 2 ** 15) + 1), first + 1);
    }
  });

  it('keeps the source’s numbers as long as nothing is dropped', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(500);
    assert.deepEqual(
      [500, 502, 501].map((source) => rewriter.rewrite(source)),
      [500, 502, 501],
    );
  });

  it('closes gaps of dropped packets, and keeps gaps of late ones', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(10);
    assert.equal(rewriter.rewrite(10), 10);
    assert.equal(rewriter.drop(11), true);
    assert.equal(rewriter.rewrite(12), 11);
    assert.equal(rewriter.rewrite(14), 13);
    assert.equal(rewriter.drop(13), false, 'the receiver may wait for its number');
    assert.equal(rewriter.rewrite(13), 12);
  });

  it('continues when another source takes over, whatever its numbers', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(1_000);
    rewriter.rewrite(1_000);
    rewriter.drop(1_001);
    rewriter.startSource(5);
    assert.deepEqual(
      [5, 6].map((source) => rewriter.rewrite(source)),
      [1_001, 1_002],
    );
    assert.equal(rewriter.newest, 1_002);
  });

  it('rejects numbers before the first', () => {
    const rewriter = new SequenceRewriter();
    assert.equal(rewriter.newest, undefined);
    rewriter.startSource(1_000);
    rewriter.rewrite(1_000);
    assert.equal(rewriter.rewrite(999), undefined);
    assert.equal(rewriter.originalOf(999), undefined);
  });

  it('forgets numbers that are 1,024 back', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(0);
    for (let source = 0; source <= 2_000; source++) rewriter.rewrite(source);
    assert.deepEqual([rewriter.rewrite(976), rewriter.originalOf(976)], [undefined, undefined]);
    assert.deepEqual([rewriter.rewrite(977), rewriter.originalOf(977)], [977, 977]);
  });

  it('forgets them also when something was dropped, and finds no packet that was not sent', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(1_000);
    rewriter.rewrite(1_000);
    rewriter.drop(1_001);
    rewriter.rewrite(1_002);
    const originals = (numbers: readonly number[]) => numbers.map((number) => rewriter.originalOf(number));
    assert.deepEqual(originals([999, 1_000, 1_001, 1_002]), [undefined, 1_000, 1_002, undefined]);
    for (let source = 1_003; source <= 3_000; source++) rewriter.rewrite(source);
    assert.deepEqual(originals([1_975, 1_976, 2_999, 3_000]), [undefined, 1_977, 3_000, undefined]);
  });

  it('drops no packet that was given or dropped before', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(10);
    rewriter.rewrite(10);
    assert.deepEqual([rewriter.drop(10), rewriter.drop(11), rewriter.drop(11)], [false, true, false]);
    assert.equal(rewriter.rewrite(12), 11);
  });

  it('knows the newest number of the source, given or dropped', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(10);
    rewriter.rewrite(10);
    rewriter.drop(11);
    assert.deepEqual(
      [10, 11, 12].map((source) => rewriter.isNewest(source)),
      [false, true, true],
    );
  });

  it('begins where the source skips to, if nothing was sent before', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(10);
    rewriter.drop(10);
    assert.equal(rewriter.rewrite(5_000), 5_000);
  });

  it('leaves no gaps and finds the originals, whatever is dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 900 }), fc.nat(2 ** 40), (kept, first) => {
        const rewriter = new SequenceRewriter();
        rewriter.startSource(first);
        const given = new Map<number, number>();
        kept.forEach((keep, index) => {
          const source = first + index;
          if (keep) given.set(source, rewriter.rewrite(source)!);
          else rewriter.drop(source);
        });
        [...given.values()].forEach((number, index) => assert.equal(number, (first % 2 ** 15) + index));
        for (const [source, number] of given) assert.equal(rewriter.originalOf(number), source);
      }),
    );
  });

  it('leaves a gap of one when the source skips more than a receiver can use', () => {
    const rewriter = new SequenceRewriter();
    rewriter.startSource(7);
    assert.equal(rewriter.rewrite(7), 7);
    assert.equal(rewriter.rewrite(7 + 1_024), 7 + 1_024);
    assert.equal(rewriter.rewrite(50_000), 7 + 1_026);
    assert.equal(rewriter.rewrite(49_999), undefined, 'it is older than the skip');
    assert.equal(rewriter.originalOf(7 + 1_026), 50_000);
    assert.equal(rewriter.drop(100_000), true);
    assert.equal(rewriter.rewrite(100_001), 7 + 1_028);
  });

  it('never takes a step that SRTP cannot follow, however far the source skips', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 2 ** 15 }), { minLength: 1 }), (skips) => {
        const rewriter = new SequenceRewriter();
        rewriter.startSource(0);
        let [source, last] = [0, rewriter.rewrite(0)!];
        for (const skip of skips) {
          source += skip;
          const number = rewriter.rewrite(source)!;
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
        const rewriter = new SequenceRewriter();
        const given: number[] = [];
        if (packets[0]) rewriter.startSource(packets[0].source);
        for (const { source, keep } of packets) {
          const number = keep || !rewriter.drop(source) ? rewriter.rewrite(source) : undefined;
          if (number !== undefined) given.push(number);
        }
        assert.equal(new Set(given).size, given.length);
      }),
    );
  });
});
