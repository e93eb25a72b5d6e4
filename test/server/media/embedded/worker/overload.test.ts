import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  degreeOf,
  LOAD_SHARES,
  NO_OVERLOAD,
  nextOverload,
  type LoadSample,
  type Overload,
} from '../../../../../server/media/embedded/worker/overload.js';

const TICK_MS = 50;
const LAST = LOAD_SHARES.length - 1;
const LATE = { delay: 150, busy: 1 };
const CALM = { delay: 5, busy: 0.1 };

/** Passes the time, with one sample each tick. */
function after(state: Overload, ms: number, sample: Omit<LoadSample, 'now'>, from: number): Overload {
  let current = state;
  for (let now = from; now < from + ms; now += TICK_MS) current = nextOverload(current, { ...sample, now });
  return current;
}

/** A worker of which the load is known, in loops: 1 fills it. What is sent decides how busy it is. */
function run(offered: (now: number) => number, until: number) {
  let state = NO_OVERLOAD;
  let queue = 0;
  const degrees: number[] = [];
  let longest = 0;
  for (let now = 0; now < until; now += TICK_MS) {
    const load = offered(now) * Math.max(1 / 16, LOAD_SHARES[degreeOf(state)]!);
    queue = Math.max(0, queue + TICK_MS * (load - 1));
    longest = Math.max(longest, queue);
    state = nextOverload(state, { delay: queue + 10 * load, busy: Math.min(1, load + queue / 100), now });
    degrees.push(degreeOf(state));
  }
  return { degrees, longest, state };
}

describe('the degree of the reduction', () => {
  it('stays while packets are late for a moment only', () => {
    assert.equal(degreeOf(after(NO_OVERLOAD, 150, LATE, 0)), 0);
  });

  it('rises when packets stay late, one by one, to the last', () => {
    const degrees = [300, 800, 1_400, 2_100].map((ms) => degreeOf(after(NO_OVERLOAD, ms, LATE, 0)));
    assert.deepEqual(degrees, [1, 2, 3, 4]);
    assert.equal(degreeOf(after(NO_OVERLOAD, 60_000, LATE, 0)), LAST);
  });

  it('falls after a second in which there was room, to the one that fits', () => {
    const reduced = after(NO_OVERLOAD, 800, LATE, 0);
    assert.equal(degreeOf(reduced), 2);
    assert.equal(degreeOf(after(reduced, 900, CALM, 800)), 2);
    assert.equal(degreeOf(after(reduced, 1_100, CALM, 800)), 0);
    const restored = after(reduced, 1_100, { delay: 5, busy: 0.3 }, 800);
    assert.equal(degreeOf(restored), 1, 'half of the share is free, not three quarters');
  });

  it('stays while there is no room, as long as that is', () => {
    const reduced = after(NO_OVERLOAD, 300, LATE, 0);
    assert.equal(degreeOf(after(reduced, 600_000, { delay: 20, busy: 0.6 }, 300)), 1);
  });

  it('goes back at the first sign that it fell too far, and then waits for more room', () => {
    const reduced = after(NO_OVERLOAD, 800, LATE, 0);
    const trial = after(reduced, 1_100, CALM, 800);
    assert.deepEqual([trial.name, degreeOf(trial)], ['trial', 0]);
    const reverted = after(trial, 700, LATE, 1_900);
    assert.equal(degreeOf(reverted), 2);
    assert.equal(degreeOf(after(reverted, 10_000, CALM, 2_600)), 2);
    assert.equal(degreeOf(after(reverted, 10_000, { delay: 5, busy: 0.05 }, 2_600)), 0);
  });

  for (const load of [1.2, 2, 4, 8]) {
    it(`keeps packets from waiting at ${load} times the load, and is 0 again within 5 s after it`, () => {
      const end = 20_000;
      const { degrees, longest } = run((now) => (now < end ? load : 0.7), 30_000);
      assert.ok(longest < 1_000 * load, `${longest} ms`);
      const late = degrees.slice(10_000 / TICK_MS, end / TICK_MS);
      assert.ok(late.filter((degree) => degree === 0).length < late.length / 5);
      assert.ok(
        degrees.slice((end + 5_000) / TICK_MS).every((degree) => degree === 0),
        degrees.slice(400).join(),
      );
    });
  }

  const samples = fc.array(fc.record({ delay: fc.nat(2_000), busy: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 400,
  });

  it('changes by the rules, whatever is measured', () => {
    fc.assert(
      fc.property(samples, (measured) => {
        let state = NO_OVERLOAD;
        let changedAt = -Infinity;
        measured.forEach((sample, index) => {
          const now = index * TICK_MS;
          const before = degreeOf(state);
          const trialFrom = state.name === 'trial' ? state.from : undefined;
          state = nextOverload(state, { ...sample, now });
          const degree = degreeOf(state);
          assert.ok(degree >= 0 && degree <= LAST);
          if (degree === before) return;
          assert.ok(now - changedAt >= 500, 'a change has time to work');
          changedAt = now;
          if (degree > before) {
            assert.ok(sample.delay >= 100, 'it rises only while packets are late');
            assert.ok(degree === before + 1 || degree === trialFrom);
          } else {
            assert.ok(sample.delay < 50, 'it falls only while packets are in time');
          }
        });
      }),
    );
  });

  it('is 0 within 10 s of an idle worker, whatever was before', () => {
    fc.assert(
      fc.property(samples, (measured) => {
        let state = NO_OVERLOAD;
        measured.forEach((sample, index) => (state = nextOverload(state, { ...sample, now: index * TICK_MS })));
        const idle = after(state, 10_000, { delay: 0, busy: 0 }, measured.length * TICK_MS);
        assert.equal(idle.name, 'none');
      }),
    );
  });
});
