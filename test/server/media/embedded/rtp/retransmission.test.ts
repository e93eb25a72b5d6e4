import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  isRtp,
  payloadStart,
  payloadType,
  sequenceNumber,
  ssrc,
  timestamp,
  withoutHeaderExtension,
} from '../../../../../server/media/embedded/rtp/packet.js';
import { RetransmissionStream, unwrapRetransmission } from '../../../../../server/media/embedded/rtp/retransmission.js';
import { sequenceDistance } from '../../../../../server/media/embedded/rtp/packet.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

const MEDIA = { payloadType: 96, ssrc: 11 };

describe('a retransmission', () => {
  it('has the form of RFC 4588', () => {
    const packet = rtpPacket({
      ...MEDIA,
      sequence: 0xabcd,
      timestamp: 7,
      marker: true,
      payload: Buffer.from('picture'),
    });
    const wrapped = new RetransmissionStream(99).wrap(packet, 97);
    assert.deepEqual([payloadType(wrapped), ssrc(wrapped), timestamp(wrapped), wrapped[1]! >> 7], [97, 99, 7, 1]);
    assert.equal(wrapped.subarray(payloadStart(wrapped)).toString('latin1'), '\xab\xcdpicture');
  });

  it('has its own sequence numbers, across the wrap', () => {
    const stream = new RetransmissionStream();
    const numbers = Array.from({ length: 70_000 }, () => sequenceNumber(stream.wrap(rtpPacket(), 97)));
    assert.ok(numbers.every((number, index) => index === 0 || number === ((numbers[index - 1]! + 1) & 0xffff)));
  });

  it('does not change the packet', () => {
    const packet = rtpPacket({ padding: 3 });
    const before = Buffer.from(packet);
    new RetransmissionStream().wrap(packet, 97);
    assert.deepEqual(packet, before);
  });

  it('is unwrapped to the original, without its padding', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffff }),
        fc.uint8Array({ minLength: 1, maxLength: 50 }),
        fc.integer({ min: 0, max: 9 }),
        fc.boolean(),
        (sequence, payload, padding, marker) => {
          const parts = { ...MEDIA, sequence, payload, marker };
          const wrapped = new RetransmissionStream().wrap(rtpPacket({ ...parts, padding }), 97);
          assert.ok(isRtp(wrapped));
          assert.deepEqual(unwrapRetransmission(wrapped, MEDIA), rtpPacket(parts));
        },
      ),
    );
  });

  it('keeps its header extensions when it is unwrapped', () => {
    const extension = Buffer.from([0x40, 0x31, 0, 0]);
    const packet = rtpPacket({ payloadType: 97, ssrc: 99, extension, payload: Buffer.from('\0\x05picture') });
    const expected = rtpPacket({ ...MEDIA, sequence: 5, extension, payload: Buffer.from('picture') });
    const unwrapped = unwrapRetransmission(packet, MEDIA);
    assert.deepEqual(unwrapped, expected);
    assert.deepEqual(
      withoutHeaderExtension(unwrapped!),
      rtpPacket({ ...MEDIA, sequence: 5, payload: Buffer.from('picture') }),
    );
  });

  it('is empty when it only probes', () => {
    const probes = [
      { payload: Buffer.alloc(0), padding: 255 },
      { payload: Buffer.alloc(0) },
      { payload: Buffer.alloc(2) },
    ];
    assert.deepEqual(
      probes.map((probe) => unwrapRetransmission(rtpPacket(probe), MEDIA)),
      [undefined, undefined, undefined],
    );
  });

  it('can be padding alone, numbered with the others', () => {
    const stream = new RetransmissionStream(9);
    const sent = [stream.padding(97, 4_500), stream.wrap(rtpPacket({}), 97), stream.padding(97, 4_500)];
    const [first, , last] = sent;
    assert.equal(unwrapRetransmission(Buffer.from(first!), MEDIA), undefined);
    assert.equal(sequenceDistance(last!.readUInt16BE(2), first!.readUInt16BE(2)), 2);
    assert.deepEqual([first![1], first!.readUInt32BE(4), first!.readUInt32BE(8), first!.length], [97, 4_500, 9, 267]);
  });

  it('unwraps to valid RTP or nothing, for any input', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 12, maxLength: 64 }),
        fc.integer({ min: 0x80, max: 0xbf }),
        (bytes, first) => {
          const packet = Buffer.from(bytes);
          packet[0] = first;
          if (!isRtp(packet)) return;
          const unwrapped = unwrapRetransmission(packet, MEDIA);
          assert.ok(unwrapped === undefined || isRtp(unwrapped));
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
