import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { RoundTrip } from '../../../../../server/media/embedded/congestion/round-trip.js';

describe('a round trip', () => {
  let trip: RoundTrip;

  beforeEach(() => {
    trip = new RoundTrip();
  });

  it('is not known before it was measured', () => {
    assert.equal(trip.shortest, undefined);
  });

  it('is the shortest that was measured, 0 included', () => {
    for (const ms of [90, 70, 120]) trip.note(ms, 0);
    assert.equal(trip.shortest, 70);
    trip.note(0, 100);
    assert.equal(trip.shortest, 0);
  });

  it('becomes longer when nothing as short has been measured for a while', () => {
    trip.note(70, 0);
    trip.note(200, 5_001);
    assert.equal(trip.shortest, 70);
    trip.note(220, 10_002);
    assert.equal(trip.shortest, 200);
  });
});
