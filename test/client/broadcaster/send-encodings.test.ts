import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendEncodings, type EncodingOptions } from '../../../src/client/broadcaster/send-encodings.js';

const wishes = (changed: Partial<EncodingOptions> = {}) =>
  sendEncodings({ codec: 'vp8', width: 1280, height: 720, simulcast: true, maxBitrate: undefined, ...changed });

describe('the encodings of a video track', () => {
  it('are one without simulcast', () => {
    assert.deepEqual(wishes({ simulcast: false }), [{}]);
    assert.deepEqual(wishes({ simulcast: false, maxBitrate: 900_000 }), [{ maxBitrate: 900_000 }]);
  });

  it('are three sizes of a large picture, the smallest first, two of a medium one and one of a small one', () => {
    assert.deepEqual(wishes(), [
      { rid: 'q', scaleResolutionDownBy: 4 },
      { rid: 'h', scaleResolutionDownBy: 2 },
      { rid: 'f', scaleResolutionDownBy: 1 },
    ]);
    assert.deepEqual(
      wishes({ width: 640, height: 360 }).map(({ rid }) => rid),
      ['h', 'f'],
    );
    assert.deepEqual(wishes({ width: 320, height: 180 }), [{}]);
  });

  it('go by the shorter side, so that an upright phone counts like one on its side', () => {
    assert.equal(wishes({ width: 720, height: 1280 }).length, 3);
    assert.equal(wishes({ width: 2000, height: 200 }).length, 1);
  });

  it('are three sizes where the size is not known', () => {
    assert.equal(wishes({ width: undefined, height: undefined }).length, 3);
  });

  it('share the bitrate limit', () => {
    assert.deepEqual(
      wishes({ maxBitrate: 1_200_000 }).map(({ maxBitrate }) => maxBitrate),
      [100_000, 400_000, 1_200_000],
    );
  });

  it('have one spatial layer each for codecs with layers of their own', () => {
    for (const codec of ['vp9', 'av1'] as const) {
      assert.ok(wishes({ codec }).every((encoding) => 'scalabilityMode' in encoding));
    }
    assert.ok(wishes({ codec: 'h264' }).every((encoding) => !('scalabilityMode' in encoding)));
  });
});
