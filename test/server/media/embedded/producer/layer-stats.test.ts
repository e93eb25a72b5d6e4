import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LayerStats } from '../../../../../server/media/embedded/producer/layer-stats.js';

describe('LayerStats', () => {
  it('measures each layer, from one second to the next', () => {
    const meter = new LayerStats();
    for (let now = 0; now < 1_000; now += 100) {
      meter.add(1_000, 1, 0, [], now);
      meter.add(500, 0, 0, [], now);
    }
    meter.endInterval(1_000);
    meter.add(250, 0, 0, [], 1_500);
    meter.endInterval(2_000);
    assert.deepEqual(
      meter.samples().map(({ spatialId, bitrate, packets, totalBytes }) => [spatialId, bitrate, packets, totalBytes]),
      [
        [0, 2_000, 1, 5_250],
        [1, 0, 0, 10_000],
      ],
    );
    assert.equal(meter.bitrate, 2_000);
  });

  it('is new until the first measurement, which needs more than a moment', () => {
    const meter = new LayerStats();
    meter.add(1_000, -1, -1, [], 900);
    meter.endInterval(1_000);
    assert.equal(meter.isNew, true);
    assert.equal(meter.bitrate, 0);
    meter.endInterval(1_900);
    assert.equal(meter.isNew, false);
    assert.equal(meter.bitrate, 8_000);
  });

  it('has the picture size of the newest keyframe', () => {
    const meter = new LayerStats();
    const sizes = (height: number) => [
      { width: 320, height: 180 },
      { width: 1_280, height },
    ];
    meter.add(1, 0, -1, sizes(700), 0);
    meter.add(1, 1, -1, [], 0);
    meter.add(1, 0, -1, sizes(720), 10);
    meter.add(1, 1, -1, [], 10);
    assert.deepEqual(
      meter.samples().map(({ size }) => size?.height),
      [180, 720],
    );
  });
});
