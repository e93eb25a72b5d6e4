import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { LossBasedEstimator } from '../../../../../server/media/embedded/bandwidth/loss-based-estimator.js';

describe('LossBasedEstimator', () => {
  let gauge: LossBasedEstimator;

  beforeEach(() => {
    gauge = new LossBasedEstimator();
  });

  it('reports the share of at least sixty packets, at most twice a second', () => {
    assert.equal(gauge.addPackets(59, 9, 0), undefined);
    assert.equal(gauge.addPackets(1, 0, 100), 0.15);
    assert.equal(gauge.addPackets(100, 0, 599), undefined);
    assert.equal(gauge.addPackets(100, 20, 600), 0.1);
  });

  it('takes a loss of up to a tenth for no congestion', () => {
    for (let report = 0; report < 10; report++) assert.equal(gauge.congestion(0.1, 1_000_000), undefined);
  });

  it('averages a report with the one before', () => {
    assert.equal(gauge.congestion(0.2, 1_000_000), undefined);
    assert.equal(gauge.congestion(0.3, 1_000_000), 0.25);
    assert.equal(gauge.congestion(0, 1_000_000), 0.15);
    assert.equal(gauge.congestion(0, 1_000_000), undefined);
  });

  it('takes a loss as usual that lower bitrates do not change, until it decreases by itself', () => {
    gauge.congestion(0.3, 1_000_000);
    const told = [1_000_000, 800_000, 640_000, 640_000].map((bitrate) => gauge.congestion(0.3, bitrate));
    assert.deepEqual(told, [0.3, 0.3, undefined, undefined]);
    gauge.congestion(0, 640_000);
    assert.equal(gauge.congestion(0, 640_000), undefined);
    gauge.congestion(0.3, 640_000);
    assert.equal(gauge.congestion(0.3, 640_000), 0.3);
  });
});
