import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GIVEN_UP_AFTER_MS, nextAttemptOn } from '../../../server/webhooks/retry-schedule.js';

/** The times of all attempts after an event at `createdOn`, if each call fails at once. */
function attemptsAfter(createdOn: number, randoms: readonly number[]): number[] {
  const times = [createdOn];
  for (;;) {
    const attempts = times.length;
    const next = nextAttemptOn({ createdOn, attempts }, times.at(-1)!, randoms[attempts % randoms.length]!);
    if (next === undefined) return times;
    times.push(next);
  }
}

const random = fc.double({ min: 0, max: 1, noNaN: true });
const randoms = fc.array(random, { minLength: 1, maxLength: 20 });

describe('the pauses between attempts', () => {
  it('grow from seconds to hours, for a day', () => {
    const times = attemptsAfter(0, [0.5]);
    assert.deepEqual(
      times.slice(1).map((time, index) => (time - times[index]!) / 1_000),
      [5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600],
    );
  });

  it('end within a day, and not before sixteen hours, whatever their jitter', () => {
    fc.assert(
      fc.property(fc.nat(), randoms, (createdOn, values) => {
        const last = attemptsAfter(createdOn, values).at(-1)! - createdOn;
        assert.ok(last <= GIVEN_UP_AFTER_MS);
        assert.ok(last >= GIVEN_UP_AFTER_MS - 1.2 * 6 * 3_600_000, `the last attempt is after ${last} ms`);
      }),
    );
  });

  it('always lead to a later attempt, by at least four seconds', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 100 }), random, (now, attempts, value) => {
        const next = nextAttemptOn({ createdOn: now, attempts }, now, value);
        assert.ok(next !== undefined && next >= now + 4_000);
      }),
    );
  });

  it('end after one attempt for an event that waited for more than a day', () => {
    assert.equal(nextAttemptOn({ createdOn: 0, attempts: 1 }, GIVEN_UP_AFTER_MS, 0), undefined);
  });
});
