import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StreamAssignment } from '../../../../../server/media/embedded/worker/stream-assignment.js';

describe('StreamAssignment', () => {
  it('has a fixed home while there is a publisher, or one that left has not ended', () => {
    const places = new StreamAssignment();
    places.add(0, 'viewer');
    assert.equal(places.isHomeFixed, false);
    places.add(1, 'publisher');
    assert.equal(places.isHomeFixed, true);
    places.live.add(null);
    places.remove(1, 'publisher');
    assert.equal(places.isHomeFixed, true);
    places.live.delete(null);
    assert.equal(places.isHomeFixed, false);
  });

  it('is empty without sessions and live sources', () => {
    const places = new StreamAssignment();
    assert.equal(places.isEmpty, true);
    places.add(2, 'publisher');
    places.live.add('camera');
    places.remove(2, 'publisher');
    assert.equal(places.isEmpty, false);
    places.live.clear();
    assert.equal(places.isEmpty, true);
  });

  it('counts the sessions of each worker', () => {
    const places = new StreamAssignment();
    places.add(0, 'publisher');
    places.add(3, 'viewer');
    places.add(3, 'viewer');
    assert.deepEqual([places.sessionsOn(0), places.sessionsOn(1), places.sessionsOn(3)], [1, 0, 2]);
    places.remove(0, 'publisher');
    places.remove(3, 'viewer');
    assert.deepEqual(places.workers, [3]);
  });
});
