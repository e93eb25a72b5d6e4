import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isBehind,
  lengthOf,
  nextRewindState,
  type RewindEvent,
  type RewindState,
} from '../../../../src/elements/viewer/rewind/rewind-state.js';

const address = { url: 'https://live.example.com/a', isLive: true, seconds: 60, at: 0 };
const after = (...events: readonly RewindEvent[]): RewindState =>
  events.reduce(nextRewindState, { name: 'absent' } as RewindState);
const found: RewindEvent = { type: 'found', address };
const behind = [found, { type: 'seek', time: 10 }, { type: 'picture' }] as const;

describe('the state of a rewind', () => {
  it('shows the recording from its first picture on', () => {
    assert.equal(isBehind(after(found, { type: 'seek', time: 10 })), false);
    assert.deepEqual(after(...behind), { name: 'behind', address });
    assert.equal(isBehind(after(...behind)), true);
  });

  it('keeps the last picture of the recording while more of it is loaded, and while that fails', () => {
    const reloading = after(...behind, { type: 'reload', time: 60 });
    assert.deepEqual(reloading, { name: 'reloading', address, time: 60, attempt: 0 });
    assert.equal(isBehind(reloading), true);
    const failing = nextRewindState(reloading, { type: 'broken', time: 60 });
    assert.deepEqual(failing, { name: 'reloading', address, time: 60, attempt: 1 });
    assert.deepEqual(nextRewindState(failing, { type: 'picture' }), { name: 'behind', address });
  });

  it('keeps what is live visible while the first picture cannot be loaded', () => {
    const broken: RewindEvent = { type: 'broken', time: 10 };
    const state = after(found, { type: 'seek', time: 10 }, broken, broken);
    assert.deepEqual(state, { name: 'loading', address, time: 10, attempt: 2 });
    assert.equal(isBehind(state), false);
  });

  it('takes another time while it is loaded again, and returns to live from there', () => {
    const seeking = after(...behind, { type: 'reload', time: 60 }, { type: 'seek', time: 20 });
    assert.deepEqual(seeking, { name: 'reloading', address, time: 20, attempt: 0 });
    assert.deepEqual(nextRewindState(seeking, { type: 'return' }), { name: 'returning', address });
  });

  it('offers nothing any more in a browser that cannot play it', () => {
    const state = after(...behind, { type: 'unsupported' });
    assert.deepEqual([found, { type: 'left' } as const].reduce(nextRewindState, state), { name: 'unplayable' });
  });
});

describe('the length of a recording', () => {
  it('grows with the time while the stream is live, and not afterwards', () => {
    assert.equal(lengthOf(address, 5_000), 65);
    assert.equal(lengthOf({ ...address, isLive: false }, 5_000), 60);
  });
});
