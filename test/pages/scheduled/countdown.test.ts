import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { countdownParts, landmarkPassed } from '../../../src/pages/scheduled/countdown.js';

const MINUTE = 60_000;

describe('a countdown', () => {
  it('has days, hours, minutes and seconds', () => {
    assert.deepEqual(countdownParts(((25 * 60 + 61) * 60 + 1) * 1_000), { days: 1, hours: 2, minutes: 1, seconds: 1 });
    assert.deepEqual(countdownParts(MINUTE), { days: 0, hours: 0, minutes: 1, seconds: 0 });
  });

  it('is at zero at the start, and not before', () => {
    assert.equal(countdownParts(1).seconds, 1);
    for (const remaining of [0, -1, -MINUTE]) {
      assert.deepEqual(countdownParts(remaining), { days: 0, hours: 0, minutes: 0, seconds: 0 });
    }
  });

  it('never shows 60 seconds, 60 minutes or 24 hours, and loses no second', () => {
    fc.assert(
      fc.property(fc.nat({ max: 400 * 86_400 }), (seconds) => {
        const parts = countdownParts(seconds * 1_000);
        assert.ok(parts.seconds < 60 && parts.minutes < 60 && parts.hours < 24);
        assert.equal(((parts.days * 24 + parts.hours) * 60 + parts.minutes) * 60 + parts.seconds, seconds);
      }),
    );
  });

  it('is told to screen readers ten minutes before, a minute before, and at the start', () => {
    assert.equal(landmarkPassed(10 * MINUTE + 1, 10 * MINUTE), 'tenMinutes');
    assert.equal(landmarkPassed(MINUTE + 1, MINUTE), 'oneMinute');
    assert.equal(landmarkPassed(1, 0), 'start');
    assert.equal(landmarkPassed(11 * MINUTE, 10 * MINUTE + 1), undefined);
    assert.equal(landmarkPassed(10 * MINUTE, 10 * MINUTE - 1), undefined);
    assert.equal(landmarkPassed(0, -1), undefined);
  });

  it('tells only the last of several, and nothing when the start is moved to a later time', () => {
    assert.equal(landmarkPassed(60 * MINUTE, -1), 'start');
    assert.equal(landmarkPassed(60 * MINUTE, MINUTE / 2), 'oneMinute');
    assert.equal(landmarkPassed(MINUTE / 2, 60 * MINUTE), undefined);
  });
});
