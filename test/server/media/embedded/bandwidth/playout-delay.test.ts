import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { PlayoutDelayEstimator } from '../../../../../server/media/embedded/bandwidth/playout-delay.js';

describe('PlayoutDelayEstimator', () => {
  let estimator: PlayoutDelayEstimator;
  const late = (ms: number, from: number, times = 3) => {
    for (let time = 0; time < times; time++) estimator.onLatePacket(ms, from + time);
  };

  beforeEach(() => {
    estimator = new PlayoutDelayEstimator();
  });

  it('needs no delay without loss, or with very little', () => {
    assert.equal(estimator.at(0), 0);
    late(200, 0, 2);
    assert.equal(estimator.at(10), 0);
  });

  it('needs the time of a retransmission and a margin', () => {
    late(200, 0);
    assert.equal(estimator.at(10), 240);
    estimator.onLatePacket(310, 20);
    assert.equal(estimator.at(30), 350);
  });

  it('needs no delay for fast retransmissions, and a second at most', () => {
    late(30, 0);
    assert.equal(estimator.at(10), 0);
    late(5_000, 20);
    assert.equal(estimator.at(30), 1_000);
  });

  it('keeps a delay for one more window', () => {
    late(200, 0);
    for (let now = 1_000; now < 60_000; now += 1_000) assert.equal(estimator.at(now), 240);
    assert.equal(estimator.at(60_000), 0);
  });

  it('lowers the delay when the path becomes shorter', () => {
    late(400, 0);
    late(100, 31_000);
    late(100, 62_000);
    assert.equal(estimator.at(62_010), 140);
  });

  it('forgets the delay after a long silence', () => {
    late(200, 0);
    assert.equal(estimator.at(3_600_000), 0);
  });
});
