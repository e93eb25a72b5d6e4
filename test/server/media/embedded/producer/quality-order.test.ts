import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { qualityOrder } from '../../../../../server/media/embedded/producer/quality-order.js';

const UNKNOWN = { pixels: 0, bitrate: 0 };
const sized = (pixels: number, bitrate = 0) => ({ pixels, bitrate });
const measured = (bitrate: number) => ({ pixels: 0, bitrate });

describe('the order of encodings', () => {
  it('is that of the sizes, whatever the bitrates', () => {
    assert.deepEqual(qualityOrder([0, 1, 2], [sized(900, 10), sized(400, 30), sized(100, 20)]), [2, 1, 0]);
  });

  it('is that of the bitrates where sizes are equal, or one is unknown', () => {
    assert.deepEqual(qualityOrder([0, 1, 2], [sized(900, 30), sized(900, 20), sized(900, 10)]), [2, 1, 0]);
    assert.deepEqual(qualityOrder([0, 1], [sized(900, 10), measured(30)]), [0, 1]);
    assert.deepEqual(qualityOrder([0, 1], [sized(100, 30), measured(10)]), [1, 0]);
  });

  it('stays where bitrates are nearly equal, or nothing arrives of one', () => {
    const equal = [sized(900, 125), sized(900, 100)];
    assert.deepEqual(qualityOrder([0, 1], equal), [0, 1]);
    assert.deepEqual(qualityOrder([1, 0], equal), [1, 0]);
    assert.deepEqual(qualityOrder([0, 1], [sized(900, 126), sized(900, 100)]), [1, 0]);
    assert.deepEqual(qualityOrder([0, 1], [sized(900, 126), sized(900)]), [0, 1]);
  });

  it('leaves those in their places of which nothing is known', () => {
    assert.deepEqual(qualityOrder([0, 1, 2], [sized(900), UNKNOWN, sized(100)]), [2, 1, 0]);
    assert.deepEqual(qualityOrder([0, 1, 2], [UNKNOWN, sized(900), sized(100)]), [0, 2, 1]);
    assert.deepEqual(qualityOrder([2, 0, 1], [UNKNOWN, UNKNOWN, UNKNOWN]), [2, 0, 1]);
  });
});
