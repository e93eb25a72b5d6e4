import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RateControl } from '../../../../../server/media/embedded/bandwidth/rate-control.js';

/** Grows ten times in a second, with this bitrate delivered. */
function growForASecond(rate: RateControl, delivered: number, from = 0): number {
  for (let now = from; now < from + 1_000; now += 100) rate.grow(delivered, now);
  return rate.bitsPerSecond;
}

/** Growth has begun, so that time counts from 0. */
function rateOf(bitsPerSecond: number): RateControl {
  const rate = new RateControl(bitsPerSecond);
  rate.grow(0, -100);
  rate.lower(bitsPerSecond);
  return rate;
}

describe('RateControl', () => {
  it('is raised and lowered within limits', () => {
    const rate = new RateControl(1_000_000);
    rate.lower(2_000_000);
    rate.raise(500_000);
    assert.equal(rate.bitsPerSecond, 1_000_000);
    rate.lower(1);
    assert.equal(rate.bitsPerSecond, 50_000);
    rate.raise(1e12);
    assert.equal(rate.bitsPerSecond, 20_000_000);
  });

  it('grows by about a third in a second, and near the capacity by 60 kbit/s at any bitrate', () => {
    assert.equal(Math.round(growForASecond(rateOf(1_000_000), 1_000_000)), Math.round(1_000_000 * 1.035 ** 10));
    for (const capacity of [700_000, 5_000_000]) {
      const full = rateOf(capacity);
      full.onCapacityMeasured(capacity, 0);
      assert.equal(Math.round(growForASecond(full, capacity)), capacity + 60_000);
    }
  });

  it('grows little beyond the capacity, until more is delivered or the measurement is old', () => {
    const full = () => {
      const rate = rateOf(1_000_000);
      rate.onCapacityMeasured(1_000_000, 0);
      for (let now = 0; now < 5_000; now += 100) rate.grow(1_000_000, now);
      assert.equal(rate.bitsPerSecond, 1_100_000);
      return rate;
    };
    const wider = full();
    wider.onDelivered(1_100_001);
    assert.ok(growForASecond(wider, 1_000_000, 5_000) > 1_400_000);
    assert.ok(growForASecond(full(), 1_000_000, 15_001) > 1_400_000);
  });

  it('grows only up to a multiple of what is delivered', () => {
    const rate = rateOf(500_000);
    for (let now = 0; now < 60_000; now += 1_000) rate.grow(100_000, now);
    assert.equal(rate.bitsPerSecond, 700_000);
  });

  it('does not make up for a pause by faster growth', () => {
    const rate = rateOf(1_000_000);
    rate.grow(1_000_000, 10_000);
    assert.equal(rate.bitsPerSecond, 1_175_000);
  });
});
