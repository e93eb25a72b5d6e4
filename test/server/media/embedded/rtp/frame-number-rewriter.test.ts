import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameNumberRewriter } from '../../../../../server/media/embedded/rtp/frame-number-rewriter.js';

describe('the frame numbers of a receiver', () => {
  it('are those of the first encoding, and rise when another takes over, also past 65,535', () => {
    const numbers = new FrameNumberRewriter();
    numbers.startSource(65_534);
    assert.deepEqual(
      [65_534, 65_535].map((number) => numbers.rewrite(number)),
      [65_534, 65_535],
    );
    numbers.startSource(500);
    assert.deepEqual(
      [500, 501, 503].map((number) => numbers.rewrite(number)),
      [0, 1, 3],
    );
  });

  it('of a packet that is sent again do not count as the newest', () => {
    const numbers = new FrameNumberRewriter();
    numbers.startSource(10);
    for (const number of [10, 11, 12, 10]) numbers.rewrite(number);
    numbers.startSource(900);
    assert.equal(numbers.rewrite(900), 13);
  });

  it('rise also when an encoding takes over that begins with 0', () => {
    const numbers = new FrameNumberRewriter();
    numbers.startSource(10);
    numbers.rewrite(10);
    numbers.startSource(0);
    assert.deepEqual([numbers.rewrite(0), numbers.rewrite(1)], [11, 12]);
  });

  it('do not exist for packets without a descriptor', () => {
    const numbers = new FrameNumberRewriter();
    numbers.startSource(-1);
    assert.equal(numbers.rewrite(-1), -1);
    numbers.startSource(7);
    assert.equal(numbers.rewrite(7), 7);
  });
});
