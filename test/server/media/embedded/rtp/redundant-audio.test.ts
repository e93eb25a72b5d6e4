import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  isRtp,
  payloadStart,
  payloadType,
  sequenceNumber,
  timestamp,
} from '../../../../../server/media/embedded/rtp/packet.js';
import {
  MAX_BLOCK_BYTES,
  MAX_TIMESTAMP_OFFSET,
  packetOfBlock,
  packRedundancy,
  unpackRedundancy,
} from '../../../../../server/media/embedded/rtp/redundant-audio.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

const OPUS = 111;
const RED = 63;
const bytes = (text: string) => Buffer.from(text, 'hex');
const payloadOf = (packet: Buffer) => packet.subarray(payloadStart(packet)).toString('hex');

describe('audio with redundancy', () => {
  it('has the form of RFC 2198', () => {
    const own = rtpPacket({ payloadType: OPUS, payload: bytes('0c0d') });
    const packed = packRedundancy(own, OPUS, [{ timestampOffset: 960, payload: bytes('0a0b0c') }]);
    // 960 in 14 bits and 3 in 10 bits, then the packet's own header.
    assert.equal(payloadOf(packed), `ef${((960 << 10) | 3).toString(16).padStart(6, '0')}6f0a0b0c0c0d`);
  });

  const block = fc
    .tuple(
      fc.integer({ min: 1, max: MAX_TIMESTAMP_OFFSET }),
      fc.uint8Array({ minLength: 1, maxLength: MAX_BLOCK_BYTES }),
    )
    .map(([timestampOffset, payload]) => ({ timestampOffset, payload: Buffer.from(payload) }));

  it('is read as it was written', () => {
    const own = fc.record({
      payload: fc.uint8Array({ maxLength: 1_200 }),
      sequence: fc.integer({ min: 0, max: 0xffff }),
      marker: fc.boolean(),
    });
    fc.assert(
      fc.property(own, fc.array(block, { maxLength: 8 }), (parts, blocks) => {
        const packet = rtpPacket({ ...parts, payloadType: OPUS });
        const packed = packRedundancy(packet, OPUS, blocks);
        packed[1] = (packed[1]! & 0x80) | RED;
        assert.deepEqual(unpackRedundancy(packed, OPUS), { packet, blocks });
      }),
    );
  });

  it('is read without padding', () => {
    const packed = packRedundancy(rtpPacket({ payloadType: OPUS, payload: bytes('01') }), OPUS, []);
    const padded = rtpPacket({ payloadType: RED, payload: packed.subarray(12), padding: 4 });
    assert.deepEqual(unpackRedundancy(padded, OPUS)?.packet, rtpPacket({ payloadType: OPUS, payload: bytes('01') }));
  });

  it('of any content is refused or read within its bounds, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 0, max: 0x7f }), (payload, type) => {
        const packet = rtpPacket({ payloadType: RED, payload });
        const unpacked = unpackRedundancy(packet, type);
        if (!unpacked) return;
        const carried = unpacked.blocks.reduce((sum, { payload }) => sum + payload.length, 0);
        assert.ok(carried + unpacked.packet.length <= packet.length);
        assert.ok(isRtp(unpacked.packet));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused if a block is longer than the packet, or no block is the packet’s own', () => {
    const read = (payload: string) => unpackRedundancy(rtpPacket({ payloadType: RED, payload: bytes(payload) }), OPUS);
    const header = (length: number) => `ef${((960 << 10) | length).toString(16).padStart(6, '0')}`;
    assert.ok(read(`${header(2)}6f0a0b01`));
    assert.equal(read(`${header(4)}6f0a0b01`), undefined);
    assert.equal(read(`${header(1_023)}6f0a0b01`), undefined);
    assert.equal(read(header(2)), undefined);
    assert.equal(read('ef00'), undefined);
    assert.equal(read(''), undefined);
    assert.equal(read('6001'), undefined);
  });

  it('gives no blocks of another payload type, without content or of no earlier time', () => {
    const header = (type: number, offset: number, length: number) =>
      (0x80 | type).toString(16) + ((offset << 10) | length).toString(16).padStart(6, '0');
    const payload = `${header(13, 960, 1)}${header(OPUS, 960, 0)}${header(OPUS, 0, 1)}6f0a0b0c`;
    const unpacked = unpackRedundancy(rtpPacket({ payloadType: RED, payload: bytes(payload) }), OPUS);
    assert.deepEqual(unpacked?.blocks, []);
    assert.equal(payloadOf(unpacked!.packet), '0c');
  });

  it('cannot be written with a block that is too old or too long', () => {
    const write = (timestampOffset: number, length: number) => () =>
      packRedundancy(rtpPacket(), OPUS, [{ timestampOffset, payload: Buffer.alloc(length) }]);
    assert.throws(write(MAX_TIMESTAMP_OFFSET + 1, 1), RangeError);
    assert.throws(write(1, MAX_BLOCK_BYTES + 1), RangeError);
  });

  it('gives back the packet that a block was, across the wrap', () => {
    const next = rtpPacket({ payloadType: OPUS, sequence: 0, timestamp: 100, marker: true });
    const packet = packetOfBlock(next, 0xffff, { timestampOffset: 960, payload: bytes('0a') });
    assert.deepEqual(
      [payloadType(packet), sequenceNumber(packet), timestamp(packet), packet[1]! >> 7, payloadOf(packet)],
      [OPUS, 0xffff, 2 ** 32 - 860, 0, '0a'],
    );
  });
});
