import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ExtensionBlock } from '../../../../../server/media/embedded/rtp/extension-block.js';
import {
  extensionLength,
  findExtension,
  readTextExtension,
  readTransportSequence,
} from '../../../../../server/media/embedded/rtp/header-extensions.js';
import { keepExtensions } from '../../../../../server/media/embedded/rtp/kept-extensions.js';
import { isRtp, payloadStart, withoutHeaderExtension } from '../../../../../server/media/embedded/rtp/packet.js';
import { rtpPacket, withExtensions } from '../../../../support/media/rtp.js';

const value = (packet: Buffer, id: number): string | undefined => {
  const at = findExtension(packet, id);
  return at < 0 ? undefined : packet.subarray(at, at + extensionLength(packet, at)).toString('hex');
};

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
        const packet = withExtensions(block.bytes);
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

describe('extensions of a source', () => {
  /** Elements of the two-byte form. */
  const twoByte = (elements: readonly (readonly [id: number, value: Uint8Array])[]): Buffer => {
    const bytes = Buffer.concat(elements.map(([id, value]) => Buffer.concat([Buffer.from([id, value.length]), value])));
    const words = Math.ceil(bytes.length / 4);
    const block = Buffer.alloc(4 + 4 * words);
    block.writeUInt16BE(0x1000, 0);
    block.writeUInt16BE(words, 2);
    bytes.copy(block, 4);
    return block;
  };
  const block = () =>
    new ExtensionBlock({
      mid: { id: 4, value: '0' },
      transportSequence: 3,
      passed: { dependencyDescriptor: 12, captureTime: 9 },
    });
  const written = (extensions: ExtensionBlock) => withExtensions(extensions.bytes.subarray(0, extensions.length));

  it('that are kept reach the receiver under its own ids, with another frame number', () => {
    const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
    fc.assert(
      fc.property(bytes(3, 255), bytes(8, 16), bytes(1, 40), fc.nat(0xffff), (descriptor, time, other, number) => {
        const packet = withExtensions(
          twoByte([
            [1, other],
            [7, descriptor],
            [2, time],
          ]),
        );
        const kept = keepExtensions(Buffer.from(packet), { dependencyDescriptor: 7, captureTime: 2 });
        assert.ok(isRtp(kept));
        assert.equal(kept.toString('latin1', payloadStart(kept)), 'picture');
        const extensions = block();
        extensions.pass(kept, number);
        extensions.stamp(0xabcd, 0);
        const sent = written(extensions);
        const expected = Buffer.from(descriptor);
        expected.writeUInt16BE(number, 1);
        assert.deepEqual(
          [value(sent, 12), value(sent, 9), readTransportSequence(sent, 3), readTextExtension(sent, 4)],
          [expected.toString('hex'), Buffer.from(time).toString('hex'), 0xabcd, '0'],
        );
      }),
    );
  });

  it('are not sent with the next packet, which has none', () => {
    const extensions = block();
    const before = written(extensions).toString('hex');
    for (const length of [3, 100]) {
      const packet = withExtensions(twoByte([[7, new Uint8Array(length)]]));
      extensions.pass(keepExtensions(packet, { dependencyDescriptor: 7, captureTime: undefined }), 1);
      assert.notEqual(written(extensions).toString('hex'), before);
      extensions.pass(rtpPacket(), -1);
      assert.equal(written(extensions).toString('hex'), before);
    }
  });

  it('are left out where they were not agreed', () => {
    const packet = withExtensions(twoByte([[7, new Uint8Array(20)]]));
    const none = keepExtensions(Buffer.from(packet), { dependencyDescriptor: undefined, captureTime: 3 });
    assert.deepEqual(none, rtpPacket({ payload: Buffer.from('picture') }));
    const extensions = new ExtensionBlock({ mid: { id: 4, value: '0' } });
    extensions.pass(keepExtensions(packet, { dependencyDescriptor: 7, captureTime: undefined }), 1);
    assert.equal(extensions.bytes.toString('hex'), 'bede000140300000');
  });

  it('of hostile packets are kept only as far as they are inside', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(0xbede, 0x1000), fc.nat(15), (bytes, form, id) => {
        const words = bytes.length >> 2;
        const head = Buffer.alloc(4);
        head.writeUInt16BE(form, 0);
        head.writeUInt16BE(words, 2);
        const packet = withExtensions(Buffer.concat([head, bytes.subarray(0, 4 * words)]));
        const kept = keepExtensions(packet, { dependencyDescriptor: id, captureTime: id + 1 });
        assert.ok(isRtp(kept));
        assert.equal(kept.toString('latin1', payloadStart(kept)), 'picture');
      }),
      { numRuns: 2_000 },
    );
  });
});
