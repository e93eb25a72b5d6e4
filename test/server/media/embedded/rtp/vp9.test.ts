import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyPayloadInfo } from '../../../../../server/media/embedded/rtp/payload-info.js';
import { readVp9 } from '../../../../../server/media/embedded/rtp/vp9.js';

/** What is read of the first bytes. What follows them is padding. */
function read(hex: string, end?: number) {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const info = emptyPayloadInfo();
  readVp9(bytes, 0, end ?? bytes.length, info);
  return info;
}

/** It refers to three pictures, and has a structure with one size and two pictures. */
const FLEXIBLE = 'fa 12 02 03 05 07 18 0140 00b4 02 04 09 00 ff';
/** Of a keyframe: two sizes, and one picture. */
const STRUCTURE = '8a 12 38 0140 00b4 0280 0168 01 00 ff';

describe('a VP9 packet', () => {
  it('is read as far as it goes', () => {
    const byEnd = [1, 2, 3, 4, 5].map((end) => {
      const { dataAt, pictureIdAt, spatialId, baseLayerIndexAt } = read('a8 8123 12 07 ff', end);
      return [end, dataAt, pictureIdAt, spatialId, baseLayerIndexAt];
    });
    assert.deepEqual(byEnd, [
      [1, 0, -1, -1, -1],
      [2, 0, -1, -1, -1],
      [3, 0, 1, -1, -1],
      [4, 5, 1, 1, -1],
      [5, 5, 1, 1, 4],
    ]);
    assert.deepEqual([read('80 12 ff', 2).pictureIdBits, read('80 12 ff', 2).dataAt], [7, 2]);
  });

  it('starts and ends a frame, or does not, and may be where temporal layers can be switched', () => {
    const flags = ['20 00 00', '28 00 00', '24 00 00', '20 10 00'].map((hex) => {
      const { startsFrame, endsFrame, isSwitchingPoint } = read(hex);
      return [startsFrame, endsFrame, isSwitchingPoint];
    });
    assert.deepEqual(flags, [
      [false, false, false],
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  it('refers to three pictures at most, and has no base layer index then', () => {
    const { dataAt, baseLayerIndexAt, sizes } = read('f8 12 02 03 05 07 09 ff');
    assert.deepEqual([dataAt, baseLayerIndexAt, sizes], [6, -1, []]);
    assert.equal(read('f8 12 02 03 04 ff ff').dataAt, 5);
    assert.equal(read('f8 12 02 03 05 07', 4).dataAt, 4);
    assert.equal(read('b8 12 02 03 05 07').dataAt, 3, 'a picture that refers to none');
    assert.equal(read('e8 12 02 03 05 07').dataAt, 4, 'a pattern says to which');
  });

  it('has its data behind the structure, whose sizes are those of a keyframe only', () => {
    assert.deepEqual([read(FLEXIBLE).dataAt, read(FLEXIBLE).sizes], [15, []]);
    const { dataAt, sizes } = read(STRUCTURE);
    assert.deepEqual(
      [dataAt, sizes],
      [
        13,
        [
          { width: 320, height: 180 },
          { width: 640, height: 360 },
        ],
      ],
    );
    assert.deepEqual([read('8a 12 20 ff').dataAt, read('8a 12 00 ff').dataAt], [3, 3], 'without sizes and pictures');
  });

  it('has a part of the structure', () => {
    const byEnd = [2, 3, 6, 7, 10, 11, 12, 13].map((end) => [end, read(STRUCTURE, end).sizes.length]);
    assert.deepEqual(byEnd, [
      [2, 0],
      [3, 0],
      [6, 0],
      [7, 1],
      [10, 1],
      [11, 2],
      [12, 2],
      [13, 2],
    ]);
    assert.deepEqual([read(STRUCTURE, 2).dataAt, read(STRUCTURE, 11).dataAt, read(STRUCTURE, 12).dataAt], [2, 11, 12]);
  });
});
