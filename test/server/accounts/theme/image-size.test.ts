import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readImageSize } from '../../../../server/accounts/theme/image-size.js';
import { logoTypeOf } from '../../../../server/accounts/theme/theme.js';
import { jpegHeader, pngHeader, webpHeader } from '../../../support/images.js';

const sizeOf = (bytes: Buffer) => readImageSize(logoTypeOf(bytes)!, bytes);
const side = fc.integer({ min: 1, max: 16_383 });

describe('the size of an image', () => {
  for (const [what, write] of [
    ['PNG', pngHeader],
    ['JPEG', jpegHeader],
    ['progressive JPEG', (width, height) => jpegHeader(width, height, 0xc2, ['', 'Exif', 'x'.repeat(5_000)])],
    ['WebP with loss', (width, height) => webpHeader('VP8 ', width, height)],
    ['WebP without loss', (width, height) => webpHeader('VP8L', width, height)],
    ['WebP with a description', (width, height) => webpHeader('VP8X', width, height)],
  ] as [string, (width: number, height: number) => Buffer][]) {
    it(`is read from the header of ${what}`, () =>
      fc.assert(
        fc.property(side, side, (width, height) => assert.deepEqual(sizeOf(write(width, height)), { width, height })),
      ));

    it(`is unknown for ${what} that ends before`, () => {
      const bytes = write(300, 200);
      for (let length = 12; length < bytes.length - 4; length++)
        assert.equal(sizeOf(bytes.subarray(0, length)), undefined, `${length}`);
    });
  }

  for (const [codec, format] of [
    ['png', 'image2'],
    ['mjpeg', 'image2'],
    ['libwebp', 'webp'],
  ] as const) {
    it(`is that of an image of the encoder ${codec}`, () => {
      const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=322x182', '-frames:v', '1'];
      const bytes = execFileSync('ffmpeg', [...source, '-c:v', codec, '-f', format, '-update', '1', '-']);
      assert.deepEqual(sizeOf(bytes), { width: 322, height: 182 });
    });
  }

  it('is unknown if one side is nothing', () => {
    for (const bytes of [pngHeader(0, 10), pngHeader(10, 0), jpegHeader(10, 0), webpHeader('VP8 ', 0, 10)])
      assert.equal(sizeOf(bytes), undefined);
  });

  it('is unknown or positive for any bytes', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('image/png', 'image/jpeg', 'image/webp'),
        fc.uint8Array({ maxLength: 80 }),
        (type, bytes) => {
          const size = readImageSize(type, Buffer.from(bytes));
          assert.ok(size === undefined || (size.width > 0 && size.height > 0));
        },
      ),
    ));
});
