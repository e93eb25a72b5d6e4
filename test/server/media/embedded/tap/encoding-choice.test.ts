import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EncodingChoice } from '../../../../../server/media/embedded/tap/encoding-choice.js';

const NOW = 1_700_000_000_000;

/** Passes packets and frames to a choice between so many encodings. */
function choose(encodings: number) {
  const choice = new EncodingChoice(encodings);
  const frame = (index: number, at: number, { width = 0, isKeyframe = false, bytes = 1_000 } = {}) => {
    choice.onPacket(index, bytes, NOW + at);
    const height = width / 2;
    return choice.onFrame(index, { isKeyframe, width, height, data: Buffer.of(), timestamp: at * 90 }, NOW + at);
  };
  const keyframe = (index: number, at: number, width = 0) => frame(index, at, { width, isKeyframe: true });
  return { choice, frame, keyframe, best: (at: number) => choice.best(NOW + at) };
}

describe('the encoding that is passed on', () => {
  it('is the first that comes, and a larger one from its keyframe on, wherever it is in the offer', () => {
    for (const [small, large] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { frame, keyframe, best } = choose(2);
      assert.equal(best(0), undefined);
      assert.equal(keyframe(small, 0, 320), true);
      assert.equal(frame(large, 10), false, 'no keyframe');
      assert.equal(keyframe(large, 20, 1_280), true);
      assert.deepEqual([frame(small, 30), keyframe(small, 40, 320), keyframe(small, 50, 320)], [false, false, false]);
      assert.equal(frame(large, 60), true);
      assert.equal(best(60), large);
    }
  });

  it('stays where another one has the same size and bitrate', () => {
    const { keyframe, frame } = choose(2);
    assert.equal(keyframe(1, 0, 640), true);
    assert.deepEqual([keyframe(0, 10, 640), frame(1, 20)], [false, true]);
  });

  it('is the one that sends the most, after a second, where sizes are not known', () => {
    const { frame, keyframe, best } = choose(2);
    for (let at = 0; at < 1_000; at += 50) {
      frame(0, at, { bytes: 3_000, isKeyframe: at === 0 });
      frame(1, at, { bytes: 1_000, isKeyframe: at === 0 });
    }
    assert.equal(best(950), 1, 'nothing was measured yet');
    frame(0, 1_000, { bytes: 3_000 });
    assert.equal(best(1_000), 0);
    assert.equal(keyframe(0, 1_050), true);
    assert.equal(frame(1, 1_050), false);
  });

  it('is left once it was silent for a second, and another one sends', () => {
    const { frame, keyframe, best } = choose(3);
    keyframe(2, 0, 1_280);
    assert.equal(keyframe(0, 999, 320), false);
    assert.equal(best(999), 2);
    assert.equal(best(1_000), 0);
    assert.equal(frame(0, 1_000), false);
    assert.equal(keyframe(0, 1_010, 320), true);
    assert.equal(best(2_010), 0, 'nothing else sends');
  });
});
