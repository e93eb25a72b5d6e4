import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { LossBasedEstimator } from '../../../../../server/media/embedded/bandwidth/loss-based-estimator.js';

describe('LossBasedEstimator', () => {
  let estimator: LossBasedEstimator;

  beforeEach(() => {
    estimator = new LossBasedEstimator();
  });

  it('reports the share of at least sixty packets, at most twice a second', () => {
    assert.equal(estimator.addPackets(59, 9, 0), undefined);
    assert.equal(estimator.addPackets(1, 0, 100), 0.15);
    assert.equal(estimator.addPackets(100, 0, 599), undefined);
    assert.equal(estimator.addPackets(100, 20, 600), 0.1);
  });

  it('takes a loss of up to a tenth for no congestion', () => {
    for (let report = 0; report < 10; report++) assert.equal(estimator.congestion(0.1, 1_000_000), undefined);
  });

  it('averages a report with the one before', () => {
    assert.equal(estimator.congestion(0.2, 1_000_000), undefined);
    assert.equal(estimator.congestion(0.3, 1_000_000), 0.25);
    assert.equal(estimator.congestion(0, 1_000_000), 0.15);
    assert.equal(estimator.congestion(0, 1_000_000), undefined);
  });

  it('takes a loss as usual that lower bitrates do not change, until it decreases by itself', () => {
    estimator.congestion(0.3, 1_000_000);
    const results = [1_000_000, 800_000, 640_000, 640_000].map((bitrate) => estimator.congestion(0.3, bitrate));
    assert.deepEqual(results, [0.3, 0.3, undefined, undefined]);
    estimator.congestion(0, 640_000);
    assert.equal(estimator.congestion(0, 640_000), undefined);
    estimator.congestion(0.3, 640_000);
    assert.equal(estimator.congestion(0.3, 640_000), 0.3);
  });
});
