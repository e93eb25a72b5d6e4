import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ExtensionBlock } from '../../../../../server/media/embedded/rtp/extension-block.js';
import { OutgoingPacket } from '../../../../../server/media/embedded/rtp/outgoing-packet.js';
import {
  setPayloadType,
  setSequenceNumber,
  withoutHeaderExtension,
} from '../../../../../server/media/embedded/rtp/packet.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

const block = (mid: string) => new ExtensionBlock({ mid: { id: 4, value: mid }, transportSequence: 3 });

describe('OutgoingPacket', () => {
  it('writes the loaded packet with each receiver’s extensions', () => {
    const packet = rtpPacket({ payload: Buffer.from('picture'), marker: true, padding: 2 });
    const outgoing = new OutgoingPacket();
    outgoing.load(packet);
    for (const extensions of [block('0'), block('a longer mid'), block('1'), block('2')]) {
      extensions.stamp(0x1234, 0);
      const written = Buffer.from(outgoing.written(extensions));
      assert.deepEqual(written.subarray(12, 12 + extensions.bytes.length), extensions.bytes);
      assert.deepEqual(withoutHeaderExtension(written), packet);
    }
    assert.deepEqual(outgoing.written(undefined), packet);
    assert.deepEqual(outgoing.written(new ExtensionBlock({})), packet);
  });

  it('restores the header for each receiver', () => {
    const packet = rtpPacket({ sequence: 9, payloadType: 96 });
    const outgoing = new OutgoingPacket();
    outgoing.load(packet);
    const first = outgoing.written(block('0'));
    setPayloadType(first, 120);
    setSequenceNumber(first, 1);
    assert.deepEqual(withoutHeaderExtension(Buffer.from(outgoing.written(block('1')))), packet);
  });

  it('does not change the loaded packet', () => {
    const packet = rtpPacket();
    const before = Buffer.from(packet);
    const outgoing = new OutgoingPacket();
    outgoing.load(packet);
    setPayloadType(outgoing.written(block('0')), 1);
    assert.deepEqual(packet, before);
  });

  it('writes packets of any length and any number of CSRCs, one after the other', () => {
    const outgoing = new OutgoingPacket();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 5_000 }), (csrcs, length) => {
        const packet = rtpPacket({ payload: Buffer.alloc(4 * csrcs + length, 0x55) });
        packet[0]! |= csrcs;
        outgoing.load(packet);
        assert.deepEqual(withoutHeaderExtension(Buffer.from(outgoing.written(block('0')))), packet);
      }),
      { numRuns: 300 },
    );
  });
});
