import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  remb,
  nack,
  pictureLossIndication,
  readRtcp,
  receiverReport,
  senderReport,
  type SenderReport,
} from '../../../../../server/media/embedded/rtcp/rtcp.js';

const REPORT: SenderReport = {
  ntpSeconds: 4_000_000_000,
  ntpFraction: 123,
  rtpTimestamp: 4_294_967_295,
  packets: 10,
  bytes: 1_000,
};

describe('RTCP', () => {
  it('reads a sender report as it was written, followed by its CNAME', () => {
    const packet = senderReport(7, REPORT, 'camera');
    assert.deepEqual(readRtcp(packet), [{ type: 'sender-report', ssrc: 7, report: REPORT }]);
    assert.equal(packet.length % 4, 0);
    assert.ok(packet.subarray(28).includes('camera\0'));
  });

  it('counts the packets and bytes of a sender report modulo 2^32, however long a track is sent', () => {
    const packet = senderReport(7, { ...REPORT, packets: 2 ** 32 + 3, bytes: 5 * 2 ** 32 + 7 }, 'camera');
    assert.deepEqual(readRtcp(packet), [
      { type: 'sender-report', ssrc: 7, report: { ...REPORT, packets: 3, bytes: 7 } },
    ]);
  });

  it('reads every sequence number of a NACK as it was written', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }),
        fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 60 }),
        (first, ahead) => {
          const wanted = ahead.toSorted((a, b) => a - b).map((distance) => (first + distance) & 0xffff);
          assert.deepEqual(readRtcp(nack(1, 2, wanted)), [{ type: 'nack', mediaSsrc: 2, sequenceNumbers: wanted }]);
        },
      ),
    );
  });

  it('writes 17 neighbours as one pair', () => {
    const seventeen = Array.from({ length: 17 }, (_, index) => (65_530 + index) & 0xffff);
    assert.equal(nack(1, 2, seventeen).length, 16);
    assert.equal(nack(1, 2, [...seventeen, 11]).length, 20);
  });

  it('reads both kinds of keyframe requests', () => {
    const fullIntraRequest = Buffer.from('84ce00040000000100000000000000020100000000', 'hex').subarray(0, 20);
    assert.deepEqual(readRtcp(pictureLossIndication(1, 2)), [{ type: 'keyframe-request', mediaSsrc: 2 }]);
    assert.deepEqual(readRtcp(fullIntraRequest), [{ type: 'keyframe-request', mediaSsrc: 2 }]);
  });

  it('writes a receiver report as RFC 3550 defines it', () => {
    const packet = receiverReport(1, [
      {
        ssrc: 2,
        fractionLost: 64,
        packetsLost: 5,
        highestSequence: 65_540,
        jitter: 12,
        lastSenderReport: 0xaabbccdd,
        delaySinceLastSenderReport: 65_536,
      },
    ]);
    assert.equal(packet.toString('hex'), '81c90007000000010000000240000005000100040000000caabbccdd00010000');
  });

  it('writes a bitrate with a precision of one part in 2^17, and never above it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (bitsPerSecond) => {
        const packet = remb(1, bitsPerSecond, [2, 3]);
        const written = (((packet[17]! & 3) << 16) | packet.readUInt16BE(18)) * 2 ** (packet[17]! >> 2);
        assert.ok(written <= bitsPerSecond && written >= bitsPerSecond * (1 - 2 ** -17));
      }),
    );
    assert.equal(remb(1, 1, [2, 3]).length, 28);
  });

  it('reads the messages of a compound packet and ignores unknown ones', () => {
    const unknown = Buffer.from('80cc000241414141414141414141'.slice(0, 24), 'hex');
    const messages = readRtcp(Buffer.concat([receiverReport(1, []), unknown, pictureLossIndication(1, 2)]));
    assert.deepEqual(messages, [
      { type: 'receiver-report', reports: [] },
      { type: 'keyframe-request', mediaSsrc: 2 },
    ]);
  });

  it('reads receiver reports and bitrates as they are written', () => {
    const report = {
      ssrc: 2,
      fractionLost: 64,
      packetsLost: 5,
      highestSequence: 65_540,
      jitter: 12,
      lastSenderReport: 0xaabbccdd,
      delaySinceLastSenderReport: 65_536,
    };
    const packet = Buffer.concat([receiverReport(1, [report, { ...report, ssrc: 3 }]), remb(1, 2 ** 21, [2])]);
    assert.deepEqual(readRtcp(packet), [
      { type: 'receiver-report', reports: [report, { ...report, ssrc: 3 }] },
      { type: 'remb', bitsPerSecond: 2 ** 21 },
    ]);
  });

  it('stops at a truncated packet', () => {
    const whole = pictureLossIndication(1, 2);
    const cut = senderReport(7, REPORT, 'camera').subarray(0, 20);
    assert.deepEqual(readRtcp(Buffer.concat([whole, cut])), [{ type: 'keyframe-request', mediaSsrc: 2 }]);
  });

  it('survives any input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 198, max: 208 }), (bytes, type) => {
        const packet = Buffer.from(bytes);
        if (packet.length > 4) {
          packet[0] = 0x80 | (packet[0]! & 0x1f);
          packet[1] = type;
          packet.writeUInt16BE(packet[3]! % 40, 2);
        }
        readRtcp(packet);
      }),
      { numRuns: 5_000 },
    );
  });
});
