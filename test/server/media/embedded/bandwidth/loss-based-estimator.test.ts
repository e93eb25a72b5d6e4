import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { LossBasedEstimator } from '../../../../../server/media/embedded/bandwidth/loss-based-estimator.js';

describe('the gauge of a loss', () => {
  let gauge: LossBasedEstimator;

  beforeEach(() => {
    gauge = new LossBasedEstimator();
  });

  it('tells the share of sixty packets and more, twice a second at most', () => {
    assert.equal(gauge.addPackets(59, 9, 0), undefined);
    assert.equal(gauge.addPackets(1, 0, 100), 0.15);
    assert.equal(gauge.addPackets(100, 0, 599), undefined);
    assert.equal(gauge.addPackets(100, 20, 600), 0.1);
  });

  it('takes up to a tenth for no congestion', () => {
    for (let report = 0; report < 10; report++) assert.equal(gauge.congestion(0.1, 1_000_000), undefined);
  });

  it('weighs a report together with the one before', () => {
    assert.equal(gauge.congestion(0.2, 1_000_000), undefined);
    assert.equal(gauge.congestion(0.3, 1_000_000), 0.25);
    assert.equal(gauge.congestion(0, 1_000_000), 0.15);
    assert.equal(gauge.congestion(0, 1_000_000), undefined);
  });

  it('takes for usual what sending less does not change, until it becomes less by itself', () => {
    gauge.congestion(0.3, 1_000_000);
    const told = [1_000_000, 800_000, 640_000, 640_000].map((bitrate) => gauge.congestion(0.3, bitrate));
    assert.deepEqual(told, [0.3, 0.3, undefined, undefined]);
    gauge.congestion(0, 640_000);
    assert.equal(gauge.congestion(0, 640_000), undefined);
    gauge.congestion(0.3, 640_000);
    assert.equal(gauge.congestion(0.3, 640_000), 0.3);
  });
});
