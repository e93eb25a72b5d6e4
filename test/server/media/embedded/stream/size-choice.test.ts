import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PathConditions } from '../../../../support/media/simulated-path.js';
import { last, openSimulcast, TRANSPORT_FEEDBACK } from '../../../../support/media/simulcast-fixture.js';

const SMALLEST = { encodingId: '0' };
/** 150, 900 and 4,000 kbit/s at 30 frames a second. */
const LARGE_PICTURES = [625, 3_750, 16_667];

/** A viewer whose network was narrow for a minute, so that probes failed, and is wide now. */
function watchAfterNarrowPath(conditions: Partial<PathConditions>) {
  const simulcast = openSimulcast(LARGE_PICTURES);
  const viewer = simulcast.watch(TRANSPORT_FEEDBACK, { ...conditions, capacity: 250_000 });
  simulcast.pass(60, viewer);
  simulcast.stream.router.select(viewer.viewer, SMALLEST, simulcast.now);
  simulcast.pass(1, viewer);
  viewer.conditions!.capacity = conditions.capacity!;
  return { simulcast, viewer };
}

/** A viewer who watched the smallest picture for a minute. */
function watchSmallest(conditions: Partial<PathConditions>) {
  const simulcast = openSimulcast(LARGE_PICTURES);
  const viewer = simulcast.watch(TRANSPORT_FEEDBACK, conditions, SMALLEST);
  simulcast.pass(60, viewer);
  return { simulcast, viewer };
}

/** Allows the best picture. Returns the seconds until it is sent. */
function secondsUntilBest({ simulcast, viewer }: ReturnType<typeof watchSmallest>): number {
  simulcast.stream.router.select(viewer.viewer, {}, simulcast.now);
  for (let tenths = 1; tenths <= 300; tenths++) {
    simulcast.pass(0.1, viewer);
    if (last(viewer.sink) === 2) return tenths / 10;
  }
  return Infinity;
}

describe('a viewer who allows a larger picture', () => {
  for (const delay of [20, 100]) {
    for (const capacity of [6_000_000, 20_000_000]) {
      const path = `${capacity / 1e6} Mbit/s with ${delay} ms of delay`;
      it(`has it within 2 s on ${path}`, () => {
        const seconds = secondsUntilBest(watchSmallest({ capacity, delay }));
        assert.ok(seconds <= 2, `${seconds} s`);
      });

      it(`has it within 3 s on ${path} if that network was narrow before`, () => {
        const seconds = secondsUntilBest(watchAfterNarrowPath({ capacity, delay }));
        assert.ok(seconds <= 3, `${seconds} s`);
      });
    }
  }

  it('keeps the picture that the network carries, and has no longer delays', () => {
    const { simulcast, viewer } = watchSmallest({ capacity: 1_500_000 });
    viewer.forgetJourneys();
    simulcast.stream.router.select(viewer.viewer, {}, simulcast.now);
    const seen = simulcast.pass(30, viewer);
    assert.deepEqual(new Set(seen.slice(3)), new Set([1]), seen.join(''));
    assert.ok(viewer.longestJourney() < 20 + 200, `${viewer.longestJourney()} ms`);
  });
});
