import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LayerMeter } from '../../../../server/media/embedded/layer-meter.js';

describe('what comes of an encoding', () => {
  it('is measured by layer, from one second to the next', () => {
    const meter = new LayerMeter();
    for (let now = 0; now < 1_000; now += 100) {
      meter.count(1_000, 1, 0, [], now);
      meter.count(500, 0, 0, [], now);
    }
    meter.roll(1_000);
    meter.count(250, 0, 0, [], 1_500);
    meter.roll(2_000);
    assert.deepEqual(
      meter.measured().map(({ spatialId, bitrate, packets, totalBytes }) => [spatialId, bitrate, packets, totalBytes]),
      [
        [0, 2_000, 1, 5_250],
        [1, 0, 0, 10_000],
      ],
    );
    assert.equal(meter.bitrate, 2_000);
  });

  it('is new until a first measure, which a moment is too short for', () => {
    const meter = new LayerMeter();
    meter.count(1_000, -1, -1, [], 900);
    meter.roll(1_000);
    assert.equal(meter.isNew, true);
    assert.equal(meter.bitrate, 0);
    meter.roll(1_900);
    assert.equal(meter.isNew, false);
    assert.equal(meter.bitrate, 8_000);
  });

  it('has the size of its newest keyframe', () => {
    const meter = new LayerMeter();
    const sizes = (height: number) => [
      { width: 320, height: 180 },
      { width: 1_280, height },
    ];
    meter.count(1, 0, -1, sizes(700), 0);
    meter.count(1, 1, -1, [], 0);
    meter.count(1, 0, -1, sizes(720), 10);
    meter.count(1, 1, -1, [], 10);
    assert.deepEqual(
      meter.measured().map(({ size }) => size?.height),
      [180, 720],
    );
  });
});
