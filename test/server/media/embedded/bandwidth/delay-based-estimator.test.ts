import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import {
  DelayBasedEstimator,
  type DelayEstimate,
} from '../../../../../server/media/embedded/bandwidth/delay-based-estimator.js';

describe('DelayBasedEstimator', () => {
  let estimator: DelayBasedEstimator;
  /** Packets of 1,000 bytes every 10 ms with these delays. Returns the last estimate. */
  function read(from: number, to: number, journey: (sentAt: number) => number): DelayEstimate | undefined {
    let reading: DelayEstimate | undefined;
    for (let now = from; now < to; now += 10)
      reading = estimator.onPacketArrived(now, now + journey(now), 1_000) ?? reading;
    return reading;
  }

  beforeEach(() => {
    estimator = new DelayBasedEstimator();
  });

  it('has no estimate before there are enough packets', () => {
    assert.equal(
      read(0, 140, () => 50),
      undefined,
    );
  });

  it('measures the delivered bitrate, and no queue where there is none', () => {
    assert.deepEqual(
      read(0, 1_000, () => 50),
      { queue: 0, shrinking: false, delivered: 800_000 },
    );
  });

  it('detects a standing queue', () => {
    read(0, 1_000, () => 50);
    assert.equal(read(1_000, 2_000, () => 90)?.queue, 40);
  });

  it('sees no queue if single packets arrive without delay', () => {
    read(0, 1_000, () => 50);
    assert.equal(read(1_000, 2_000, (sentAt) => (sentAt % 100 ? 120 : 50))?.queue, 0);
  });

  it('detects that a queue shrinks', () => {
    read(0, 1_000, () => 50);
    read(1_000, 2_000, () => 150);
    assert.equal(read(2_000, 2_500, (sentAt) => 150 - (sentAt - 2_000) / 10)?.shrinking, true);
  });

  it('ignores packets sent before a change for the queue, and counts them for the bitrate', () => {
    read(0, 1_000, () => 50);
    estimator.ignoreSentBefore(2_000);
    assert.equal(
      read(1_000, 2_000, () => 500),
      undefined,
    );
    assert.equal(read(2_000, 2_500, () => 60)?.queue, 10);
  });

  it('counts packets sent before a change as delivered', () => {
    read(0, 1_000, () => 50);
    estimator.ignoreSentBefore(1_000);
    assert.equal(read(1_000, 1_300, () => 50)?.delivered, 800_000);
  });

  it('takes a longer path as normal after a reset, and by itself after a while', () => {
    read(0, 1_000, () => 50);
    estimator.resetBaseline();
    assert.equal(read(1_000, 2_000, () => 150)?.queue, 0);
    assert.equal(read(2_000, 3_000, () => 250)?.queue, 100);
    assert.equal(read(3_000, 30_000, () => 250)?.queue, 0);
  });

  it("begins anew when the receiver's clock does", () => {
    read(0, 1_000, () => 50);
    assert.equal(read(1_000, 2_000, () => 500_000)?.queue, 0);
    assert.equal(read(2_000, 3_000, () => -500_000)?.queue, 0);
  });
});
