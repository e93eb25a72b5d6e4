import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  isRtcp,
  isRtp,
  payloadEnd,
  payloadStart,
  payloadType,
  sequenceDistance,
  sequenceNumber,
  setPayloadType,
  setSequenceNumber,
  setSsrc,
  setTimestamp,
  ssrc,
  timestamp,
  withoutHeaderExtension,
} from '../../../../../server/media/embedded/rtp/packet.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

const uint16 = fc.integer({ min: 0, max: 0xffff });
const uint32 = fc.integer({ min: 0, max: 0xffffffff });

describe('an RTP header', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 63 }), uint16, uint32, uint32, (number, sequence, time, source) => {
        const packet = rtpPacket({ payloadType: number, sequence, timestamp: time, ssrc: source });
        assert.deepEqual(
          [isRtp(packet), payloadType(packet), sequenceNumber(packet), timestamp(packet), ssrc(packet)],
          [true, number, sequence, time, source],
        );
      }),
    );
  });

  it('can be rewritten field by field, and keeps its marker', () => {
    const packet = rtpPacket({ payloadType: 96, marker: true });
    setPayloadType(packet, 120);
    setSequenceNumber(packet, 65_535);
    setTimestamp(packet, 4_294_967_295);
    setSsrc(packet, 4_000_000_000);
    assert.deepEqual(
      packet,
      rtpPacket({ payloadType: 120, marker: true, sequence: 65_535, timestamp: 4_294_967_295, ssrc: 4_000_000_000 }),
    );
  });

  it('loses its extension and nothing else', () => {
    const parts = { payload: Buffer.from('picture'), sequence: 7, marker: true, padding: 3 };
    const extended = rtpPacket({ ...parts, extension: Buffer.from([0x40, 0x31, 0, 0]) });
    assert.deepEqual(withoutHeaderExtension(extended), rtpPacket(parts));
  });

  it('is unchanged without an extension', () => {
    const packet = rtpPacket();
    assert.equal(withoutHeaderExtension(packet), packet);
  });

  it('tells where the payload is, without padding', () => {
    const packet = rtpPacket({ payload: Buffer.from('picture'), padding: 4 });
    assert.equal(packet.subarray(payloadStart(packet), payloadEnd(packet)).toString(), 'picture');
  });
});

describe('isRtp rejects', () => {
  it('fewer than 12 bytes, another version, and RTCP', () => {
    const receiverReport = Buffer.from('81c9000700000001000000020000000000000000000000000000000000000000', 'hex');
    assert.equal(isRtp(Buffer.alloc(11, 0x80)), false);
    assert.equal(isRtp(Buffer.alloc(20)), false);
    assert.equal(isRtp(receiverReport), false);
    assert.equal(isRtcp(receiverReport), true);
  });

  it('a header that exceeds the packet', () => {
    const csrcs = rtpPacket({ payload: Buffer.alloc(4) });
    csrcs[0] = 0x8f;
    const extension = rtpPacket({ payload: Buffer.from([0xbe, 0xde, 0xff, 0xff]) });
    extension[0] = 0x90;
    const padding = rtpPacket({ payload: Buffer.from([200]) });
    padding[0] = 0xa0;
    assert.deepEqual([csrcs, extension, padding].map(isRtp), [false, false, false]);
  });

  it('every packet that a reader would read past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.integer({ min: 0x80, max: 0xbf }), (bytes, first) => {
        const packet = Buffer.from(bytes);
        if (packet.length) packet[0] = first;
        if (!isRtp(packet)) return;
        const stripped = withoutHeaderExtension(packet);
        assert.ok(isRtp(stripped));
        assert.ok(payloadStart(stripped) <= payloadEnd(stripped) && payloadEnd(stripped) <= stripped.length);
      }),
      { numRuns: 5_000 },
    );
  });
});

it('computes the distance of sequence numbers across the wrap', () => {
  assert.deepEqual(
    [sequenceDistance(5, 3), sequenceDistance(3, 5), sequenceDistance(2, 65_534), sequenceDistance(65_534, 2)],
    [2, -2, 4, -4],
  );
});
