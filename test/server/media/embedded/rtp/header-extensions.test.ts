import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  extensionLength,
  findExtension,
  readTextExtension,
  readTransportSequence,
} from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { isRtp } from '../../../../../server/media/embedded/rtp/packet.js';
import { rtpPacket, withExtensions } from '../../../../support/media/rtp.js';

const value = (packet: Buffer, id: number): string | undefined => {
  const at = findExtension(packet, id);
  return at < 0 ? undefined : packet.subarray(at, at + extensionLength(packet, at)).toString('hex');
};

describe('reading header extensions', () => {
  it('finds each value of the one-byte form, with padding between', () => {
    // The example of RFC 8285 section 4.2: one byte, one byte and padding, four bytes.
    const packet = withExtensions(Buffer.from('bede000310aa21bbbb000033cccccccc', 'hex'));
    assert.deepEqual(
      [1, 2, 3, 4].map((id) => value(packet, id)),
      ['aa', 'bbbb', 'cccccccc', undefined],
    );
  });

  it('finds each value of the two-byte form, with any application bits, and empty ones', () => {
    for (const profile of ['1000', '100f']) {
      const packet = withExtensions(Buffer.from(`${profile}0003${'0100'}${'0201bb'}${'00'}${'c804cccccccc'}`, 'hex'));
      assert.deepEqual(
        [1, 2, 200, 3].map((id) => value(packet, id)),
        ['', 'bb', 'cccccccc', undefined],
      );
    }
  });

  it('finds nothing in a packet without extensions or with another profile', () => {
    assert.equal(findExtension(rtpPacket(), 1), -1);
    assert.equal(findExtension(withExtensions(Buffer.from('1234000110aa0000', 'hex')), 1), -1);
  });

  it('stops at id 15, and at padding with a length', () => {
    for (const stop of ['f0', '01']) {
      const packet = withExtensions(Buffer.from(`bede000210aa${stop}0020bb0000`, 'hex'));
      assert.deepEqual([value(packet, 1), value(packet, 2)], ['aa', undefined]);
    }
  });

  it('rejects a value that exceeds the block', () => {
    assert.equal(findExtension(withExtensions(Buffer.from('bede000113aabbcc', 'hex')), 1), -1);
    assert.equal(findExtension(withExtensions(Buffer.from('100000010103aabb', 'hex')), 1), -1);
  });

  it('skips the CSRCs', () => {
    const packet = withExtensions(Buffer.concat([Buffer.alloc(8, 0x77), Buffer.from('bede000110aa0000', 'hex')]));
    packet[0]! |= 2;
    assert.equal(value(packet, 1), 'aa');
  });

  it('reads text, and transport-wide sequence numbers of two bytes', () => {
    const packet = withExtensions(Buffer.from('bede000211686951fffe2011'.padEnd(24, '0'), 'hex'));
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
