import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sendEncodings, type EncodingOptions } from '../../../src/client/broadcaster/send-encodings.js';

const encodingsFor = (changed: Partial<EncodingOptions> = {}) =>
  sendEncodings({ width: 1280, height: 720, simulcast: true, cores: 2, maxBitrate: undefined, ...changed });

describe('the encodings of a video track', () => {
  it('are a single one without simulcast', () => {
    assert.deepEqual(encodingsFor({ simulcast: false }), [{ maxBitrate: undefined }]);
    assert.deepEqual(encodingsFor({ simulcast: false, maxBitrate: 900_000 }), [{ maxBitrate: 900_000 }]);
  });

  it('are three of one spatial layer for a large picture, the smallest first, two for a medium one, and one for a small one', () => {
    assert.deepEqual(encodingsFor(), [
      { rid: 'q', scaleResolutionDownBy: 4, active: true, scalabilityMode: 'L1T1', maxBitrate: undefined },
      { rid: 'h', scaleResolutionDownBy: 2, active: true, scalabilityMode: 'L1T1', maxBitrate: undefined },
      { rid: 'f', scaleResolutionDownBy: 1, active: true, scalabilityMode: 'L1T1', maxBitrate: undefined },
    ]);
    assert.deepEqual(
      encodingsFor({ width: 640, height: 360 }).map(({ rid }) => rid),
      ['h', 'f'],
    );
    assert.deepEqual(encodingsFor({ width: 320, height: 180 }), [{ maxBitrate: undefined }]);
  });

  it('are three where simulcast is automatic, of which the largest is sent', () => {
    assert.deepEqual(
      encodingsFor({ simulcast: undefined, cores: 4 }).map(({ rid, active }) => [rid, active]),
      [
        ['q', false],
        ['h', false],
        ['f', true],
      ],
    );
  });

  it('are a single one where simulcast is automatic for a picture of less than 540 lines, or two cores', () => {
    for (const changed of [{ cores: 2 }, { cores: 8, height: 480 }]) {
      assert.deepEqual(encodingsFor({ simulcast: undefined, ...changed }), [{ maxBitrate: undefined }]);
    }
  });

  it('depend on the shorter side, so that a phone has as many in portrait as in landscape', () => {
    assert.equal(encodingsFor({ width: 720, height: 1280 }).length, 3);
    assert.equal(encodingsFor({ width: 2000, height: 200 }).length, 1);
  });

  it('are three if the size of the picture is unknown', () => {
    assert.equal(encodingsFor({ width: undefined, height: undefined }).length, 3);
  });

  it('share the bitrate limit', () => {
    assert.deepEqual(
      encodingsFor({ maxBitrate: 1_200_000 }).map(({ maxBitrate }) => maxBitrate),
      [100_000, 400_000, 1_200_000],
    );
  });
});
