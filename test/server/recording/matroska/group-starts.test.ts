import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Block } from '../../../../server/recording/matroska/cluster.js';
import { GroupStarts, SOUND_GROUP_MS } from '../../../../server/recording/matroska/group-starts.js';

/** The start of a VP9 keyframe of this size (VP9 bitstream specification section 6.2). */
function keyframe(width: number, height: number): Buffer {
  const sizes = ((BigInt(width - 1) << 16n) | BigInt(height - 1)).toString(2).padStart(32, '0');
  // Marker, profile 0, a new keyframe that is shown, the sync code, and the colours.
  const bits = `10000010${'010010011000001101000010'}0010${sizes}`.padEnd(72, '0');
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}

const picture = (timestampMs: number, data = keyframe(640, 360)): Block => ({
  kind: 'video',
  timestampMs,
  isKeyframe: true,
  data,
});
const delta = (timestampMs: number): Block => ({ ...picture(timestampMs), isKeyframe: false });
const sound = (timestampMs: number): Block => ({
  kind: 'audio',
  timestampMs,
  isKeyframe: true,
  data: Buffer.of(0xfc),
});
const startsOf = (blocks: readonly Block[]) => {
  const starts = new GroupStarts('vp9');
  return blocks.flatMap((block) => starts.add(block) ?? []);
};

describe('the groups of a part', () => {
  it('begin at keyframes, however far apart, while pictures come', () => {
    const pictures = [0, 1_500, 3_000, 4_500, 6_000].map((ms) => (ms % 6_000 === 0 ? picture(ms) : delta(ms)));
    const sounds = Array.from({ length: 300 }, (_, index) => sound(index * 20));
    const blocks = [...pictures, ...sounds].toSorted((a, b) => a.timestampMs - b.timestampMs);
    assert.deepEqual(startsOf(blocks), [{ timestampMs: 0 }, { timestampMs: 6_000 }]);
  });

  it('begin with sound every two seconds while no picture comes', () => {
    const blocks = [picture(0), delta(500), ...[1_000, 2_400, 2_500, 4_480, 4_500, 5_000].map(sound), picture(5_100)];
    assert.deepEqual(startsOf(blocks), [
      { timestampMs: 0 },
      { timestampMs: 2_500, isSound: true },
      { timestampMs: 4_500, isSound: true },
      { timestampMs: 5_100 },
    ]);
  });

  it('do not begin at a keyframe that came later than sound after it', () => {
    assert.deepEqual(startsOf([picture(0), sound(2_000), picture(1_900), picture(3_900)]), [
      { timestampMs: 0 },
      { timestampMs: 2_000, isSound: true },
      { timestampMs: 3_900 },
    ]);
  });

  it('say where the picture has another size', () => {
    const [large, turned] = [keyframe(640, 360), keyframe(360, 640)];
    const blocks = [large, large, turned, turned, large].map((data, index) => picture(index * 2_000, data));
    assert.deepEqual(
      startsOf(blocks).map(({ isResized }) => isResized),
      [undefined, undefined, true, undefined, true],
    );
  });

  it('never go back, and are never further apart than two seconds without a picture', () => {
    const block = fc.record({ step: fc.integer({ min: -300, max: 900 }), isSound: fc.boolean(), isKey: fc.boolean() });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 60 }), (steps) => {
        const starts = new GroupStarts('vp9');
        let [now, lastGroup, lastPicture] = [0, -Infinity, -Infinity];
        for (const { step, isSound, isKey } of steps) {
          now += step;
          const start = starts.add(isSound ? sound(now) : isKey ? picture(now) : delta(now));
          if (start) {
            assert.ok(start.timestampMs > lastGroup);
            lastGroup = now;
          }
          if (!isSound) lastPicture = Math.max(lastPicture, now);
          else assert.ok(now - Math.max(lastGroup, lastPicture) < SOUND_GROUP_MS);
        }
      }),
    );
  });
});
