import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DropPolicy } from '../../../../server/recording/recorder/drop-policy.js';

const MOST = { bytes: 10_000, ms: 1_000 };

const aFrame = fc.record({
  kind: fc.constantFrom('audio' as const, 'video' as const),
  size: fc.integer({ min: 1, max: 3_000 }),
  isKeyframe: fc.boolean(),
  /** How much of the backlog the disk takes before the next frame, and how long the oldest byte has waited then. */
  written: fc.integer({ min: 0, max: 6_000 }),
  ms: fc.integer({ min: 0, max: 1_500 }),
});

describe('the drop policy', () => {
  it('never lets more wait than the limit, and passes on only video that can be decoded', () => {
    fc.assert(
      fc.property(fc.array(aFrame, { maxLength: 200 }), (frames) => {
        const policy = new DropPolicy(MOST);
        let waiting = 0;
        let isDecodable = false;
        for (const { kind, size, isKeyframe, written, ms } of frames) {
          const accepted = policy.accepts({ kind, isKeyframe, data: Buffer.alloc(size) }, { bytes: waiting, ms });
          if (accepted) waiting += size;
          assert.ok(waiting <= MOST.bytes);
          assert.ok(!accepted || ms <= MOST.ms);
          if (kind === 'video') {
            assert.ok(!accepted || isKeyframe || isDecodable);
            isDecodable = accepted;
          }
          waiting = Math.max(0, waiting - written);
        }
      }),
    );
  });

  it('goes on when half of the backlog is written: with sound at once, with video at a keyframe', () => {
    const policy = new DropPolicy(MOST);
    const accepts = (kind: 'audio' | 'video', isKeyframe: boolean, bytes: number) =>
      policy.accepts({ kind, isKeyframe, data: Buffer.alloc(100) }, { bytes, ms: 0 });
    assert.equal(accepts('video', true, 0), true);
    assert.equal(accepts('video', false, 9_950), false);
    assert.equal(accepts('audio', true, 6_000), false);
    assert.equal(accepts('audio', true, 4_000), true);
    assert.equal(accepts('video', false, 4_000), false);
    assert.equal(accepts('video', true, 4_000), true);
    assert.equal(accepts('video', false, 4_000), true);
  });

  it('passes on every frame while the disk keeps up', () => {
    const policy = new DropPolicy(MOST);
    for (let index = 0; index < 100; index++) {
      const frame = { kind: 'video' as const, isKeyframe: index === 0, data: Buffer.alloc(1_000) };
      assert.equal(policy.accepts(frame, { bytes: 8_000, ms: 100 }), true);
    }
  });
});
