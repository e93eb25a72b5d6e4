// The headers of images, with any size. The rest of the images is missing.

export function pngHeader(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** @param frame the marker of the frame header: 0xc0 baseline, 0xc2 progressive */
export function jpegHeader(width: number, height: number, frame = 0xc0, comments: readonly string[] = ['x']): Buffer {
  const segments = comments.map((comment) => {
    const segment = Buffer.alloc(4 + comment.length);
    segment.writeUInt16BE(0xfffe, 0);
    segment.writeUInt16BE(2 + comment.length, 2);
    segment.write(comment, 4);
    return segment;
  });
  const header = Buffer.from([
    0xff,
    frame,
    0,
    11,
    8,
    height >> 8,
    height & 0xff,
    width >> 8,
    width & 0xff,
    1,
    1,
    17,
    0,
  ]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, header]);
}

export function webpHeader(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF....WEBP', 'latin1');
  bytes.write(kind, 12);
  switch (kind) {
    case 'VP8 ':
      bytes.writeUIntBE(0x9d012a, 23, 3);
      bytes.writeUInt16LE(width, 26);
      bytes.writeUInt16LE(height, 28);
      break;
    case 'VP8L':
      bytes[20] = 0x2f;
      bytes.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14, 21);
      break;
    case 'VP8X':
      bytes.writeUIntLE(width - 1, 24, 3);
      bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}
