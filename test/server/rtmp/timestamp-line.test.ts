import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TimestampLine, TimestampUnwrapper } from '../../../server/rtmp/timestamp-line.js';

/** Places timestamps, each of a track named by one letter: `v40`. */
function place(...marks: readonly string[]): number[] {
  const line = new TimestampLine();
  return marks.map((mark) => line.place(mark[0]!, Number(mark.slice(1))));
}

describe('a timestamp line', () => {
  it('keeps timestamps that grow', () => assert.deepEqual(place('v0', 'a5', 'v40', 'a25', 'v80'), [0, 5, 40, 25, 80]));

  it('keeps a pause of 5 s, and of no more', () => {
    assert.deepEqual(place('v0', 'v5000'), [0, 5_000]);
    assert.deepEqual(place('v0', 'v5001'), [0, 33]);
    assert.deepEqual(place('v0', 'a0', 'v5000', 'v900000', 'a900000'), [0, 0, 5_000, 10_000, 10_000]);
  });

  it('does not take a repeated timestamp for the usual step', () => {
    assert.deepEqual(place('v0', 'v40', 'v40', 'v900000'), [0, 40, 40, 80]);
  });

  it('continues a track beside the others only if it paused for more than 5 s', () => {
    assert.deepEqual(place('v0', 'a0', 'v5000', 'a900000'), [0, 0, 5_000, 33]);
  });

  it('turns disorder up to 1 s into the last timestamp', () => {
    assert.deepEqual(place('v2000', 'v1500', 'v1000', 'v2040'), [2_000, 2_000, 2_000, 2_040]);
  });

  it('continues one usual step after a jump forward', () => {
    assert.deepEqual(place('v0', 'v40', 'v100000', 'v100040'), [0, 40, 80, 120]);
  });

  it('continues one usual step after a jump back', () => {
    assert.deepEqual(place('v90000', 'v90040', 'v0', 'v40'), [90_000, 90_040, 90_080, 90_120]);
  });

  it('moves all tracks with a jump', () => {
    assert.deepEqual(
      place('v90000', 'a90000', 'v90040', 'a90020', 'v0', 'a0', 'v40', 'a20'),
      [90_000, 90_000, 90_040, 90_020, 90_080, 90_080, 90_120, 90_100],
    );
  });

  it('keeps a pause of one track, however long, while another goes on', () => {
    assert.deepEqual(
      place('v0', 'a0', 'v4000', 'v8000', 'v12000', 'a12000', 'v12040', 'a12020'),
      [0, 0, 4_000, 8_000, 12_000, 12_000, 12_040, 12_020],
    );
  });

  it('takes a track that comes back on another clock for a jump, and puts it beside the others', () => {
    assert.deepEqual(
      place('v0', 'a0', 'v4000', 'v8000', 'v8040', 'a900000', 'v900000', 'a900020'),
      [0, 0, 4_000, 8_000, 8_040, 8_073, 8_073, 8_093],
    );
  });

  it('continues the track itself after a jump, where another one is ahead', () => {
    assert.deepEqual(
      place('v0', 'a1000', 'v40', 'a1020', 'v500000', 'a501000', 'v500040'),
      [0, 1_000, 40, 1_020, 80, 1_080, 120],
    );
  });

  it('puts a track that begins late beside the others, if its clock is another one', () => {
    assert.deepEqual(place('v0', 'v4000', 'a4000'), [0, 4_000, 4_000]);
    assert.deepEqual(place('v0', 'v40', 'a700000', 'v700000'), [0, 40, 73, 73]);
  });

  it('takes a pause as the usual step of no track', () => {
    assert.deepEqual(
      place('v0', 'a0', 'v4000', 'v8000', 'a8000', 'v8040', 'a500000'),
      [0, 0, 4_000, 8_000, 8_000, 8_040, 8_033],
    );
  });

  it('never goes back on a track, and never steps more than 5 s ahead of all tracks', () => {
    const mark = fc.tuple(fc.constantFrom('a', 'v'), fc.oneof(fc.integer({ min: -1e6, max: 1e6 }), fc.nat(2_000)));
    fc.assert(
      fc.property(fc.array(mark), (marks) => {
        const line = new TimestampLine();
        const last = new Map<string, number>();
        for (const [track, timestamp] of marks) {
          const placed = line.place(track, timestamp);
          const before = last.get(track);
          const newest = Math.max(...last.values());
          if (before !== undefined) assert.ok(placed >= before);
          if (last.size > 0) assert.ok(placed <= newest + 5_000);
          last.set(track, placed);
        }
      }),
    );
  });
});

describe('a timestamp unwrapper', () => {
  it('follows steps of less than 2^31, forward and back', () => {
    const steps = fc.array(fc.integer({ min: -0x7f_ff_ff_ff, max: 0x7f_ff_ff_ff }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(0xff_ff_ff_ff), steps, (start, all) => {
        const unwrapper = new TimestampUnwrapper();
        let time = start;
        assert.equal(unwrapper.unwrap(start), start);
        for (const step of all) {
          time += step;
          assert.equal(unwrapper.unwrap(((time % 2 ** 32) + 2 ** 32) % 2 ** 32), time);
        }
      }),
    );
  });
});
