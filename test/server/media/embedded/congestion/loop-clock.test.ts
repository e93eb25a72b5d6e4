import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { it } from 'node:test';
import { LoopClock } from '../../../../../server/media/embedded/congestion/loop-clock.js';

/** Keeps the loop from everything else, as forwarding to hundreds does. */
function blockFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

it('knows that what is handed over after a busy turn may have waited through all of it', async () => {
  const clock = new LoopClock();
  clock.beat();
  await nextTurn();
  const before = performance.now();
  blockFor(20);
  const handover = clock.read();
  assert.ok(handover.notBefore <= before && handover.now >= before + 20);
});

it('says the same of all that one turn hands over', async () => {
  const clock = new LoopClock();
  await nextTurn();
  const { notBefore } = clock.read();
  blockFor(5);
  assert.equal(clock.read().notBefore, notBefore);
});

it('says of the next turn that nothing waited longer than the turn before', async () => {
  const clock = new LoopClock();
  blockFor(5);
  const { now } = clock.read();
  await nextTurn();
  await nextTurn();
  assert.equal(clock.read().notBefore, now);
});

it('does not take silence for waiting as long as it beats', async () => {
  const clock = new LoopClock();
  blockFor(5);
  const silentUntil = performance.now();
  clock.beat();
  await nextTurn();
  await nextTurn();
  assert.ok(clock.read().notBefore >= silentUntil);
});
