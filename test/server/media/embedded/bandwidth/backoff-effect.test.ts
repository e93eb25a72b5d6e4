import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { BackoffEffect } from '../../../../../server/media/embedded/bandwidth/backoff-effect.js';

describe('BackoffEffect', () => {
  let steps: BackoffEffect;
  /** Backs off at this bitrate because of this symptom. Returns whether the steps before were ineffective. */
  function step(bitrate: number | undefined, fault: number): boolean {
    const futile = steps.isIneffective(bitrate, fault);
    if (!futile) steps.onBackoff(bitrate, fault);
    return futile;
  }

  beforeEach(() => {
    steps = new BackoffEffect(2);
  });

  it('is ineffective after two steps that did not reduce the symptom', () => {
    assert.deepEqual([step(1_000, 100), step(800, 100), step(640, 100)], [false, false, true]);
  });

  it('is effective when the symptom decreases', () => {
    assert.deepEqual([step(1_000, 100), step(800, 70), step(640, 45), step(500, 30)], [false, false, false, false]);
  });

  it('counts each step if the bitrate cannot fall', () => {
    assert.deepEqual([step(undefined, 100), step(undefined, 100), step(undefined, 100)], [false, false, true]);
  });

  it('counts no step while the bitrate does not fall', () => {
    assert.deepEqual(
      [step(1_000, 100), step(1_000, 100), step(950, 100), step(940, 100)],
      [false, false, false, false],
    );
  });

  it('starts anew after the symptom was gone', () => {
    step(1_000, 100);
    step(800, 100);
    steps.reset();
    assert.deepEqual([step(640, 100), step(500, 100), step(400, 100)], [false, false, true]);
  });
});
