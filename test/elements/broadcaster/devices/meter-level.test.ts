import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meterLevel } from '../../../../src/elements/broadcaster/devices/level-meter-controller.js';

describe('the level of a microphone', () => {
  it('goes from nothing at -60 dB to full, and never beyond', () => {
    assert.deepEqual([0, 0.000_1, 0.001, 1, 3].map(meterLevel), [0, 0, 0, 1, 1]);
  });

  it('is half way at -30 dB, as ears have it', () => {
    assert.ok(Math.abs(meterLevel(10 ** -1.5) - 0.5) < 1e-9);
  });
});
