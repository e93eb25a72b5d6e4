import type { LogoType } from '../../../src/wire/management/theme.js';

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The largest width and height of a logo: a few hundred bytes can declare an image that takes gigabytes to decode. */
export const MOST_PIXELS = 2_000;

/** Cameras and editors write some ten, and a profile of colours some more. */
const MOST_SEGMENTS = 256;

/** The size that the header of an image declares. Undefined: the header cannot be read. Nothing is decoded. */
export function readImageSize(type: LogoType, bytes: Buffer): ImageSize | undefined {
  const size = SIZES[type](bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

const SIZES: Readonly<Record<LogoType, (bytes: Buffer) => ImageSize | undefined>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

const textAt = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);

/** IHDR is the first chunk (PNG 5.6). */
function pngSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 33 || bytes.readUInt32BE(8) !== 13 || textAt(bytes, 12) !== 'IHDR') return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The frame header is one of the segments before the scan (ITU-T T.81, B.2). Its height is 0 if it follows the scan. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  for (let segments = 0; segments < MOST_SEGMENTS && at + 9 <= bytes.length && bytes[at] === 0xff; segments++) {
    const marker = bytes[at + 1]!;
    // Fill bytes.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (isFrameHeader(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    const hasLength = marker >= 0xc0 && marker <= 0xfe && (marker < 0xd0 || marker > 0xda);
    const length = bytes.readUInt16BE(at + 2);
    if (!hasLength || length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15. Between them are DHT, JPG and DAC (ITU-T T.81, table B.1). */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The first chunk is the image, with loss (RFC 6386, 9.1) or without, or describes the file (RFC 9649, 2.5 to 2.7). */
function webpSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30) return undefined;
  switch (textAt(bytes, 12)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
