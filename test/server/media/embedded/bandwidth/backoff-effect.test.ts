import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { BackoffEffect } from '../../../../../server/media/embedded/bandwidth/backoff-effect.js';

describe('sending less', () => {
  let steps: BackoffEffect;
  /** A step down at this bitrate because of this fault; whether those before were in vain. */
  function step(bitrate: number, fault: number): boolean {
    const futile = steps.isIneffective(bitrate, fault);
    if (!futile) steps.onBackoff(bitrate, fault);
    return futile;
  }

  beforeEach(() => {
    steps = new BackoffEffect();
  });

  it('is in vain when two steps changed nothing', () => {
    assert.deepEqual([step(1_000, 100), step(800, 100), step(640, 100)], [false, false, true]);
  });

  it('is not in vain when the fault becomes less', () => {
    assert.deepEqual([step(1_000, 100), step(800, 70), step(640, 45), step(500, 30)], [false, false, false, false]);
  });

  it('says nothing as long as no less is sent', () => {
    assert.deepEqual(
      [step(1_000, 100), step(1_000, 100), step(950, 100), step(940, 100)],
      [false, false, false, false],
    );
  });

  it('is judged anew when the fault was gone', () => {
    step(1_000, 100);
    step(800, 100);
    steps.reset();
    assert.deepEqual([step(640, 100), step(500, 100), step(400, 100)], [false, false, true]);
  });
});
