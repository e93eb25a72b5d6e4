import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  ExtensionBlock,
  extensionLength,
  findExtension,
  readTextExtension,
  readTransportSequence,
} from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { isRtp, withoutHeaderExtension } from '../../../../../server/media/embedded/rtp/packet.js';
import { rtpPacket } from '../../../../support/media/rtp.js';

/** The packet with this extension block. */
function withBlock(block: Buffer, payload = Buffer.from('picture')): Buffer {
  const packet = rtpPacket({ payload: Buffer.concat([block, payload]) });
  packet[0]! |= 0x10;
  return packet;
}

const value = (packet: Buffer, id: number): string | undefined => {
  const at = findExtension(packet, id);
  return at < 0 ? undefined : packet.subarray(at, at + extensionLength(packet, at)).toString('hex');
};

describe('reading header extensions', () => {
  it('finds each value of the one-byte form, with padding between', () => {
    // The example of RFC 8285 section 4.2: one byte, one byte and padding, four bytes.
    const packet = withBlock(Buffer.from('bede000310aa21bbbb000033cccccccc', 'hex'));
    assert.deepEqual(
      [1, 2, 3, 4].map((id) => value(packet, id)),
      ['aa', 'bbbb', 'cccccccc', undefined],
    );
  });

  it('finds each value of the two-byte form, with any application bits, and empty ones', () => {
    for (const profile of ['1000', '100f']) {
      const packet = withBlock(Buffer.from(`${profile}0003${'0100'}${'0201bb'}${'00'}${'c804cccccccc'}`, 'hex'));
      assert.deepEqual(
        [1, 2, 200, 3].map((id) => value(packet, id)),
        ['', 'bb', 'cccccccc', undefined],
      );
    }
  });

  it('finds nothing in a packet without extensions or with another profile', () => {
    assert.equal(findExtension(rtpPacket(), 1), -1);
    assert.equal(findExtension(withBlock(Buffer.from('1234000110aa0000', 'hex')), 1), -1);
  });

  it('stops at id 15, and at padding with a length', () => {
    for (const stop of ['f0', '01']) {
      const packet = withBlock(Buffer.from(`bede000210aa${stop}0020bb0000`, 'hex'));
      assert.deepEqual([value(packet, 1), value(packet, 2)], ['aa', undefined]);
    }
  });

  it('rejects a value that exceeds the block', () => {
    assert.equal(findExtension(withBlock(Buffer.from('bede000113aabbcc', 'hex')), 1), -1);
    assert.equal(findExtension(withBlock(Buffer.from('100000010103aabb', 'hex')), 1), -1);
  });

  it('skips the CSRCs', () => {
    const packet = withBlock(Buffer.concat([Buffer.alloc(8, 0x77), Buffer.from('bede000110aa0000', 'hex')]));
    packet[0]! |= 2;
    assert.equal(value(packet, 1), 'aa');
  });

  it('reads text, and transport-wide sequence numbers of two bytes', () => {
    const packet = withBlock(Buffer.from('bede000211686951fffe2011'.padEnd(24, '0'), 'hex'));
    assert.equal(readTextExtension(packet, 1), 'hi');
    assert.equal(readTextExtension(packet, 3), undefined);
    assert.deepEqual(
      [5, 2, 3].map((id) => readTransportSequence(packet, id)),
      [0xfffe, -1, -1],
    );
  });

  it('stays within the block for any packet', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 12, maxLength: 80 }),
        fc.constantFrom(0xbede, 0x1000, 0x100a),
        fc.integer({ min: 1, max: 255 }),
        (bytes, profile, id) => {
          const packet = Buffer.from(bytes);
          packet[0] = 0x90;
          packet[1] = 96;
          if (packet.length >= 16) packet.writeUInt16BE(profile, 12);
          if (packet.length >= 16) packet.writeUInt16BE(packet[15]! % 18, 14);
          if (!isRtp(packet)) return;
          const at = findExtension(packet, id);
          if (at < 0) return;
          assert.ok(at >= 17 && at + extensionLength(packet, at) <= 16 + 4 * packet.readUInt16BE(14));
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('ExtensionBlock', () => {
  it('can be read as it was written, in the form that its ids and values need', () => {
    const id = fc.integer({ min: 1, max: 255 });
    const text = fc.string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' });
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 5, maxLength: 5 }), text, text, (ids, mid, streamId) => {
        const [first, second, third, fourth, fifth] = ids as [number, number, number, number, number];
        const block = new ExtensionBlock({
          mid: { id: first, value: mid },
          streamId: { id: second, value: streamId },
          playoutDelay: { id: third, min: 100, max: 40_000 },
          transportSequence: fourth,
          absoluteSendTime: fifth,
        });
        block.stamp(0xabcd, 65_000);
        const packet = withBlock(block.bytes);
        assert.equal(
          block.bytes.readUInt16BE(0),
          Math.max(...ids) < 15 && mid.length <= 16 && streamId.length <= 16 ? 0xbede : 0x1000,
        );
        assert.deepEqual(
          [
            readTextExtension(packet, first),
            readTextExtension(packet, second),
            value(packet, third),
            readTransportSequence(packet, fourth),
            value(packet, fifth),
          ],
          [mid, streamId, '00afa0', 0xabcd, '040000'],
        );
        assert.equal(withoutHeaderExtension(packet).subarray(12).toString(), 'picture');
      }),
    );
  });

  it('limits playout delays to 12 bits of 10 ms, the maximum not below the minimum', () => {
    const playout = (min: number, max: number) =>
      new ExtensionBlock({ playoutDelay: { id: 6, min, max } }).bytes.toString('hex', 5, 8);
    assert.deepEqual([playout(0, 0), playout(50_000, 10), playout(-5, 20)], ['000000', 'ffffff', '000002']);
  });

  it('leaves the playout delay to the receiver until it is set', () => {
    const block = new ExtensionBlock({ playoutDelay: { id: 6 } });
    assert.equal(block.bytes.toString('hex', 5, 8), '000fff');
    block.setPlayoutDelay(250);
    assert.equal(block.bytes.toString('hex', 5, 8), '019fff');
    const without = new ExtensionBlock({ mid: { id: 4, value: '0' } });
    without.setPlayoutDelay(250);
    assert.equal(without.bytes.toString('hex'), 'bede000140300000');
  });

  it('is empty without extensions, and stamps only what is sent', () => {
    const empty = new ExtensionBlock({});
    assert.deepEqual([empty.bytes.length, empty.hasTransportSequence], [0, false]);
    const mid = new ExtensionBlock({ mid: { id: 4, value: '0' } });
    mid.stamp(7, 7);
    assert.equal(mid.bytes.toString('hex'), 'bede000140300000');
  });

  it('rejects ids and values that fit no extension', () => {
    for (const sent of [
      { mid: { id: 0, value: '0' } },
      { mid: { id: 256, value: '0' } },
      { mid: { id: 1, value: '' } },
      { mid: { id: 1, value: 'x'.repeat(256) } },
      { mid: { id: 1, value: '0' }, transportSequence: 1 },
    ]) {
      assert.throws(() => new ExtensionBlock(sent), RangeError);
    }
  });
});
