import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  clock,
  isBehind,
  lengthOf,
  nextRewindState,
  timeOf,
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

  it('takes a longer recording, and keeps the one that it shows when none is found any more', () => {
    const longer = { ...address, seconds: 90 };
    assert.deepEqual(after(found, { type: 'found', address: longer }), { name: 'ready', address: longer });
    assert.deepEqual(after(...behind, { type: 'found', address: longer }), { name: 'behind', address: longer });
    const gone: RewindEvent = { type: 'found', address: undefined };
    assert.deepEqual(after(...behind, gone), { name: 'behind', address });
    assert.deepEqual(after(found, gone), { name: 'absent' });
    assert.deepEqual(after(gone), { name: 'absent' });
  });

  it('says why nobody can go back, until a recording is found', () => {
    const refused: RewindEvent = { type: 'refused', code: 'rewind_off', sentence: 'No.' };
    assert.deepEqual(after(found, refused), { name: 'refused', code: 'rewind_off', sentence: 'No.' });
    assert.deepEqual(after(refused, found), { name: 'ready', address });
  });

  it('shows what is live again when the recording is left', () => {
    assert.deepEqual(after(...behind, { type: 'return' }, { type: 'left' }), { name: 'ready', address });
    assert.deepEqual(after({ type: 'left' }), { name: 'absent' });
  });

  it('is loaded again where it broke, and at another place while it returns', () => {
    const broken = after(...behind, { type: 'broken', time: 12 });
    assert.deepEqual(broken, { name: 'reloading', address, time: 12, attempt: 1 });
    const seeking = after(...behind, { type: 'return' }, { type: 'seek', time: 20 });
    assert.deepEqual(seeking, { name: 'reloading', address, time: 20, attempt: 0 });
    assert.deepEqual(after(...behind, { type: 'return' }), { name: 'returning', address });
  });

  const nothing: [what: string, before: readonly RewindEvent[], event: RewindEvent][] = [
    ['a seek where nothing is recorded', [], { type: 'seek', time: 10 }],
    ['a seek within what is loaded, which the player does', behind, { type: 'seek', time: 20 }],
    ['a reload of what is not shown', [found], { type: 'reload', time: 20 }],
    ['a picture of what is not loaded', [found], { type: 'picture' }],
    ['a fault of what is not shown', [found], { type: 'broken', time: 20 }],
    ['a return while it is live', [found], { type: 'return' }],
  ];
  for (const [what, before, event] of nothing) {
    it(`is not changed by ${what}`, () => {
      const state = after(...before);
      assert.equal(nextRewindState(state, event), state);
    });
  }
});

describe('the place of the picture', () => {
  it('is the end while it is live, what is loaded, or what is played, which is never behind the end', () => {
    assert.equal(timeOf(after(found), 60, 5), 60);
    assert.equal(timeOf(after(found, { type: 'seek', time: 10 }), 60, 5), 10);
    assert.equal(timeOf(after(...behind, { type: 'reload', time: 20 }), 60, 5), 20);
    assert.deepEqual([timeOf(after(...behind), 60, 5), timeOf(after(...behind), 60, 61)], [5, 60]);
  });

  it('is written as people write it', () => {
    const written = [-1, 0, 9.6, 185, 3_600, 3_785, 36_000].map(clock);
    assert.deepEqual(written, ['0:00', '0:00', '0:10', '3:05', '1:00:00', '1:03:05', '10:00:00']);
  });
});

describe('the length of a recording', () => {
  it('grows with the time while the stream is live, and not afterwards', () => {
    assert.equal(lengthOf(address, 5_000), 65);
    assert.equal(lengthOf({ ...address, isLive: false }, 5_000), 60);
  });
});
