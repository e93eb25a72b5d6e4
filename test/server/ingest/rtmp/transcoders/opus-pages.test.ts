import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OpusPages } from '../../../../../server/ingest/rtmp/transcoders/opus-pages.js';

/** The lacing values of a packet (RFC 3533 section 5). */
const lacingOf = ({ length }: Buffer): number[] => [
  ...Array.from({ length: Math.floor(length / 255) }, () => 255),
  length % 255,
];

/** A page with these segments. The fields that the reader ignores are 0. */
function page(lacing: readonly number[], body: Buffer): Buffer {
  const header = Buffer.alloc(27);
  header.write('OggS', 'latin1');
  header[26] = lacing.length;
  return Buffer.concat([header, Buffer.from(lacing), body]);
}

const onePage = (packet: Buffer): Buffer => page(lacingOf(packet), packet);
const HEADERS = Buffer.concat([onePage(Buffer.from('OpusHead')), onePage(Buffer.from('OpusTags'))]);
const packets = fc.array(
  fc.uint8Array({ maxLength: 800 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 8 },
);

describe('the packets of an Ogg stream', () => {
  it('are those after its two headers, however the bytes come', () => {
    fc.assert(
      fc.property(packets, fc.integer({ min: 1, max: 300 }), (sent, most) => {
        const bytes = Buffer.concat([HEADERS, ...sent.map(onePage)]);
        const pages = new OpusPages();
        const found: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += most) found.push(...pages.read(bytes.subarray(at, at + most)));
        assert.deepEqual(found, sent);
      }),
    );
  });

  it('can be several on a page, and one on several pages', () => {
    const [one, two, long] = [Buffer.from([1, 2]), Buffer.from([3]), Buffer.alloc(400, 7)];
    const pages = new OpusPages();
    const bytes = Buffer.concat([
      HEADERS,
      page([2, 1], Buffer.concat([one, two])),
      page([255], long.subarray(0, 255)),
      page([145], long.subarray(255)),
    ]);
    assert.deepEqual(pages.read(bytes), [one, two, long]);
  });

  it('are an error of bytes that are no Ogg stream, and are never kept without end', () => {
    assert.throws(() => new OpusPages().read(Buffer.alloc(40, 1)), RangeError);
    const pages = new OpusPages();
    assert.throws(() => {
      for (let count = 0; count < 10_000; count++) pages.read(Buffer.from('OggS'.padEnd(100, '\xff'), 'latin1'));
    }, RangeError);
  });
});
