import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutAuxiliaryUnits } from '../../../server/rtmp/avc.js';

const unit = (type: number): Buffer => Buffer.of(0x60 | type, 0);

describe('withoutAuxiliaryUnits', () => {
  it('drops access unit delimiters, SEI and filler, and keeps the order of the others', () => {
    const kept = [unit(7), unit(8), unit(5), unit(1)];
    assert.deepEqual(withoutAuxiliaryUnits([unit(9), kept[0]!, kept[1]!, unit(6), kept[2]!, unit(12), kept[3]!]), kept);
  });
});
