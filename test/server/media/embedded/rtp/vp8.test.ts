import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyPayloadInfo } from '../../../../../server/media/embedded/rtp/payload-info.js';
import { readVp8 } from '../../../../../server/media/embedded/rtp/vp8.js';

/** A descriptor with everything, and the header of a keyframe of 320 by 180. */
const KEYFRAME = '90e0812305801000009d012a4001b400';

/** What is read of the first bytes. What follows them is padding. */
function read(hex: string, end = hex.length / 2) {
  const info = emptyPayloadInfo();
  readVp8(Buffer.from(hex, 'hex'), 0, end, info);
  return info;
}

describe('a VP8 packet', () => {
  it('is read as far as it goes', () => {
    const byEnd = [1, 2, 3, 4, 5, 6, 7, 15, 16].map((end) => {
      const { dataAt, pictureIdAt, baseLayerIndexAt, temporalId, startsKeyframe, sizes } = read(KEYFRAME, end);
      return [end, dataAt, pictureIdAt, baseLayerIndexAt, temporalId, startsKeyframe, sizes.length];
    });
    assert.deepEqual(byEnd, [
      [1, 1, -1, -1, -1, false, 0],
      [2, 0, -1, -1, -1, false, 0],
      [3, 0, -1, -1, -1, false, 0],
      [4, 6, 2, -1, -1, false, 0],
      [5, 6, 2, 4, -1, false, 0],
      [6, 6, 2, 4, 2, false, 0],
      [7, 6, 2, 4, 2, true, 0],
      [15, 6, 2, 4, 2, true, 0],
      [16, 6, 2, 4, 2, true, 1],
    ]);
    assert.deepEqual(read(KEYFRAME).sizes, [{ width: 320, height: 180 }]);
  });

  it('has a picture id of 7 bits, or none', () => {
    const { pictureId, pictureIdBits } = read('90802310', 3);
    assert.deepEqual([pictureId, pictureIdBits], [0x23, 7]);
    const { pictureIdAt, baseLayerIndexAt, baseLayerIndex, temporalId } = read('9040ff10');
    assert.deepEqual([pictureIdAt, baseLayerIndexAt, baseLayerIndex, temporalId], [-1, 2, 0xff, -1]);
  });

  it('may have a key index without a temporal layer', () => {
    const { dataAt, temporalId, isLayerSync } = read('9010ff10');
    assert.deepEqual([dataAt, temporalId, isLayerSync], [3, -1, false]);
    assert.deepEqual([read('90204010').isLayerSync, read('90206010').isLayerSync], [false, true]);
  });

  it('has a size only behind the start code', () => {
    for (const [right, wrong] of [
      ['9d012a', '9c012a'],
      ['9d012a', '9d022a'],
      ['9d012a', '9d012b'],
    ] as const) {
      assert.deepEqual(read(KEYFRAME.replace(right, wrong)).sizes, []);
    }
  });
});
