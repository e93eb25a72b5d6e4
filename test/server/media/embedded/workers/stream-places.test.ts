import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StreamPlaces } from '../../../../../server/media/embedded/workers/stream-places.js';

describe('the places of a stream', () => {
  it('are settled while it has a publisher, or one that left has not ended', () => {
    const places = new StreamPlaces();
    places.take(0, 'viewer');
    assert.equal(places.isSettled, false);
    places.take(1, 'publisher');
    assert.equal(places.isSettled, true);
    places.live.add(null);
    places.leave(1, 'publisher');
    assert.equal(places.isSettled, true);
    places.live.delete(null);
    assert.equal(places.isSettled, false);
  });

  it('are deserted when nobody is there and nothing is live', () => {
    const places = new StreamPlaces();
    assert.equal(places.isDeserted, true);
    places.take(2, 'publisher');
    places.live.add('camera');
    places.leave(2, 'publisher');
    assert.equal(places.isDeserted, false);
    places.live.clear();
    assert.equal(places.isDeserted, true);
  });

  it('count who is with which worker', () => {
    const places = new StreamPlaces();
    places.take(0, 'publisher');
    places.take(3, 'viewer');
    places.take(3, 'viewer');
    assert.deepEqual([places.at(0), places.at(1), places.at(3)], [1, 0, 2]);
    places.leave(0, 'publisher');
    places.leave(3, 'viewer');
    assert.deepEqual(places.workers, [3]);
  });
});
