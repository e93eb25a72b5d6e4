import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { tcpFrame, TcpFrameReader } from '../../../../../server/media/embedded/transport/tcp-framing.js';

const LARGEST = 2_048;
const SIZES = { least: 14, most: LARGEST };

describe('packets over TCP', () => {
  it('arrive as they were sent, however the bytes are split', () => {
    const packets = fc.array(fc.uint8Array({ minLength: SIZES.least, maxLength: LARGEST }));
    const cuts = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1 });
    fc.assert(
      fc.property(packets, cuts, (sent, sizes) => {
        const reader = new TcpFrameReader(SIZES);
        const bytes = Buffer.concat(sent.map((packet) => tcpFrame(Buffer.from(packet))));
        const read: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          read.push(...reader.read(bytes.subarray(at, at + size)).map((packet) => packet.toString('hex')));
          at += size;
        }
        assert.deepEqual(
          read,
          sent.map((packet) => Buffer.from(packet).toString('hex')),
        );
      }),
    );
  });

  it('end with an invalid length', () => {
    for (const length of [0, SIZES.least - 1, LARGEST + 1, 0xffff]) {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(length);
      assert.throws(() => new TcpFrameReader(SIZES).read(bytes), RangeError);
    }
  });
});
