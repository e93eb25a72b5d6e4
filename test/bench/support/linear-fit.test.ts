import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slopeOf } from '../../../bench/support/linear-fit.js';

describe('the slope of samples', () => {
  it('is that of a line through all of them', () => {
    assert.equal(
      slopeOf([
        [0, 5],
        [1, 7],
        [2, 9],
      ]),
      2,
    );
  });

  it('is zero for samples that only go up and down', () => {
    assert.equal(
      slopeOf([
        [0, 5],
        [1, 7],
        [2, 7],
        [3, 5],
      ]),
      0,
    );
  });
});
