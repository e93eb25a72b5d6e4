import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { viewerCountsOf, type Viewing } from '../../../server/streams/viewer-count.js';

const viewing = (change: Partial<Viewing> = {}): Viewing => ({
  isLive: true,
  isRelayed: false,
  here: 2,
  elsewhere: 3,
  ...change,
});

describe('the viewer counts of a stream', () => {
  it('have the viewers of all servers while it is live, and those of this one', () => {
    assert.deepEqual(viewerCountsOf(viewing()), { all: 5, here: 2, isWatched: true });
    assert.deepEqual(viewerCountsOf(viewing({ here: 0 })), { all: 3, here: 0, isWatched: true });
  });

  it('have nobody while it is not live: those who wait do not watch', () => {
    assert.deepEqual(viewerCountsOf(viewing({ isLive: false })), { all: 0, here: 0, isWatched: false });
  });

  it('have the viewers of a relayed stream, whose publishers are told by their own server', () => {
    const relayed = viewing({ isLive: false, isRelayed: true });
    assert.deepEqual(viewerCountsOf(relayed), { all: 5, here: 2, isWatched: false });
  });

  it('say that a live stream without viewers is not watched', () => {
    assert.deepEqual(viewerCountsOf(viewing({ here: 0, elsewhere: 0 })), { all: 0, here: 0, isWatched: false });
  });
});
