import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAggregate } from '../../../server/rtmp/aggregate.js';
import { MESSAGE_TYPE } from '../../../server/rtmp/rtmp-message.js';
import { aggregatePart as part } from './fake-encoder.js';

const PICTURE = Buffer.from('170100000000', 'hex');
const SOUND = Buffer.from('af01', 'hex');
const read = (parts: readonly Buffer[], timestamp = 0) =>
  readAggregate({ typeId: MESSAGE_TYPE.aggregate, streamId: 1, timestamp, payload: Buffer.concat(parts) });
const timesOf = (parts: readonly Buffer[], timestamp?: number) => read(parts, timestamp)?.map((one) => one.timestamp);

describe('an aggregate message', () => {
  it('has media messages in order, and leaves out all others', () => {
    const parts = [part(9, 0, PICTURE), part(20, 0, SOUND), part(8, 0, SOUND), part(22, 0, SOUND), part(18, 0, SOUND)];
    assert.deepEqual(read(parts), [
      { kind: 'video', timestamp: 0, payload: PICTURE },
      { kind: 'audio', timestamp: 0, payload: SOUND },
      { kind: 'data', timestamp: 0, payload: SOUND },
    ]);
    assert.deepEqual(read([]), []);
  });

  it('begins at its own time, and the others are as far from that as from the first', () => {
    const parts = [part(9, 700, PICTURE), part(8, 721, SOUND), part(8, 690, SOUND)];
    assert.deepEqual(timesOf(parts, 5_000), [5_000, 5_021, 4_990]);
    assert.deepEqual(timesOf([part(20, 700, SOUND), part(8, 721, SOUND)], 5_000), [5_021]);
  });

  it('has times of 32 bits, which may wrap', () => {
    const parts = [part(9, 0x01_ff_ff_f0, PICTURE), part(8, 0x02_00_00_10, SOUND)];
    assert.deepEqual(timesOf(parts, 100), [100, 132]);
    assert.deepEqual(timesOf(parts, 0xff_ff_ff_f0), [0xff_ff_ff_f0, 0x10]);
  });

  it('may end without the last length, and with a message of nothing', () => {
    assert.equal(read([part(9, 0, PICTURE), part(8, 0, Buffer.alloc(0))])?.length, 2);
    assert.equal(read([part(9, 0, PICTURE), part(8, 0, Buffer.alloc(0)).subarray(0, 11)])?.length, 2);
  });

  it('is broken if it ends inside a message, or has more than anybody sends', () => {
    const whole = Buffer.concat([part(9, 0, PICTURE), part(8, 0, SOUND)]);
    for (let length = 1; length < whole.length; length++) {
      const isWhole = length >= whole.length - 4 || (length >= 17 && length <= 21);
      assert.equal(read([whole.subarray(0, length)]) !== undefined, isWhole, `${length} bytes`);
    }
    const many = (count: number) => read(Array<Buffer>(count).fill(part(18, 0, SOUND)))?.length;
    assert.deepEqual([many(4_096), many(4_097)], [4_096, undefined]);
  });
});
