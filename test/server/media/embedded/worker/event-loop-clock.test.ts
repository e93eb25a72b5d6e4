import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, it } from 'node:test';
import { EventLoopClock } from '../../../../../server/media/embedded/worker/event-loop-clock.js';

let now: number;
let slept: number;
let clock: EventLoopClock;

beforeEach(() => {
  now = 5_000;
  slept = 700;
  clock = new EventLoopClock({ now: () => now, idleTime: () => slept });
});

function sleep(ms: number): void {
  now += ms;
  slept += ms;
}

function work(ms: number): void {
  now += ms;
}

it('knows that a packet that wakes the loop has not waited', () => {
  sleep(30);
  assert.deepEqual([clock.read().notBefore, clock.now], [5_030, 5_030]);
});

it('knows that a packet may have waited as long as the loop was busy', () => {
  clock.read();
  sleep(30);
  work(20);
  assert.deepEqual([clock.read().notBefore, clock.now], [5_030, 5_050]);
});

it('assumes that all work since the last packet was done after the idle time', () => {
  clock.read();
  work(4);
  sleep(30);
  work(2);
  assert.equal(clock.read().notBefore, 5_030);
  assert.equal(clock.now, 5_036);
});

it('does not take a poll of the loop for idle time', () => {
  clock.read();
  work(20);
  sleep(0.02);
  assert.ok(clock.read().notBefore <= 5_000);
});

it('returns the same for all packets of one turn', () => {
  sleep(30);
  const { notBefore } = clock.read();
  for (let packet = 0; packet < 10; packet++) {
    work(3);
    assert.equal(clock.read().notBefore, notBefore);
  }
});

it('limits the waiting time of a loop that is never idle to the turn before', async () => {
  const turns: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    work(20);
    turns.push(clock.read().now);
    work(10);
    assert.ok(clock.read().notBefore <= (turns.at(-2) ?? 5_000));
    await nextTurn();
    await nextTurn();
  }
  work(20);
  assert.equal(clock.read().notBefore, turns.at(-1));
});

it('does not limit it by a turn that may have left packets over', async () => {
  work(20);
  clock.read();
  for (let packet = 0; packet < 1_000; packet++) clock.read();
  await nextTurn();
  await nextTurn();
  work(20);
  assert.equal(clock.read().notBefore, 5_000);
});

it('uses the idle time of its process', async () => {
  const real = new EventLoopClock();
  const began = real.read().now;
  const { nodeTiming } = performance;
  const idleBefore = nodeTiming.idleTime;
  while (nodeTiming.idleTime < idleBefore + 5) await new Promise((resolve) => setTimeout(resolve, 5));
  const { notBefore } = real.read();
  assert.ok(notBefore > began && notBefore <= real.now, `${notBefore} of ${began} to ${real.now}`);
});
