import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { nalUnitsWithLengths } from '../../../../../server/media/embedded/frames/h264-nal-units.js';
import { pictureSizeOf } from '../../../../../server/media/embedded/frames/picture-size.js';
import { withLengths } from '../../../../../server/recording/matroska/h264-in-file.js';
import { videoFrames } from '../../../../support/recording/encoded-media.js';

describe('the size of the picture of a keyframe', () => {
  for (const codec of ['h264', 'vp9', 'av1'] as const) {
    for (const [width, height] of [
      [640, 360],
      [180, 320],
      [322, 178],
    ] as const) {
      it(`is what was encoded: ${codec}, ${width}x${height}`, async () => {
        const [keyframe] = await videoFrames({ codec, seconds: 0.1, size: `${width}x${height}` });
        const { data } = keyframe!;
        assert.deepEqual(pictureSizeOf(codec, codec === 'h264' ? withLengths(data) : data), { width, height });
      });
    }
  }

  it('is not known of VP8', () => assert.equal(pictureSizeOf('vp8', Buffer.alloc(100)), undefined));

  it('is read from anything without an exception, and never takes long', () => {
    fc.assert(
      fc.property(fc.constantFrom('h264', 'vp9', 'av1'), fc.uint8Array({ maxLength: 200 }), (codec, bytes) => {
        const size = pictureSizeOf(codec, Buffer.from(bytes));
        return size === undefined || (size.width > 0 && size.height > 0);
      }),
    );
  });
});

describe('NAL units after their lengths', () => {
  it('are those that were put there', () => {
    const unit = fc.uint8Array({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const frame = Buffer.concat(
          units.flatMap((one) => {
            const length = Buffer.alloc(4);
            length.writeUInt32BE(one.length);
            return [length, one];
          }),
        );
        assert.deepEqual(
          nalUnitsWithLengths(frame).map((one) => one.toString('hex')),
          units.map((one) => Buffer.from(one).toString('hex')),
        );
      }),
    );
  });
});
