import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { RoundTripTime } from '../../../../../server/media/embedded/bandwidth/round-trip-time.js';

describe('RoundTripTime', () => {
  let trip: RoundTripTime;

  beforeEach(() => {
    trip = new RoundTripTime();
  });

  it('is unknown before the first sample', () => {
    assert.deepEqual([trip.shortest, trip.latest], [undefined, undefined]);
  });

  it('is the latest sample where the queue of the path counts', () => {
    for (const ms of [90, 70, 120]) trip.addSample(ms, 0);
    assert.equal(trip.latest, 120);
  });

  it('is the shortest sample, including 0', () => {
    for (const ms of [90, 70, 120]) trip.addSample(ms, 0);
    assert.equal(trip.shortest, 70);
    trip.addSample(0, 100);
    assert.equal(trip.shortest, 0);
  });

  it('grows when there was no short sample for a while', () => {
    trip.addSample(70, 0);
    trip.addSample(200, 5_001);
    assert.equal(trip.shortest, 70);
    trip.addSample(220, 10_002);
    assert.equal(trip.shortest, 200);
  });
});
