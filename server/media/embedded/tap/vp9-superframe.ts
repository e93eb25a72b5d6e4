const MARKER = 0xc0;
const SIZE_BYTES = 4;

/**
 * Puts the frames of one picture's spatial layers together (VP9 bitstream specification, annex B): files have no other
 * place for their borders. One frame stays as it is, of any codec.
 */
export function vp9Superframe(frames: readonly Buffer[]): Buffer {
  if (frames.length === 1) return frames[0]!;
  const index = Buffer.alloc(2 + SIZE_BYTES * frames.length);
  index[0] = index[index.length - 1] = MARKER | ((SIZE_BYTES - 1) << 3) | (frames.length - 1);
  for (const [at, { length }] of frames.entries()) index.writeUInt32LE(length, 1 + SIZE_BYTES * at);
  return Buffer.concat([...frames, index]);
}
