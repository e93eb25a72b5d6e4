import { uint32 } from './integers.js';
import type { RtmpMessage } from './rtmp-message.js';

const EXTENDED = 0xff_ff_ff;

/**
 * Writes a message as chunks: the first of format 0, the others of format 3 (RTMP 1.0 section 5.3). Their extended
 * timestamp is repeated, as encoders expect.
 * @param chunkStreamId 2 to 65599; 2 is for control messages
 */
export function chunksOf(message: RtmpMessage, chunkStreamId: number, chunkSize: number): Buffer {
  const { typeId, streamId, timestamp, payload } = message;
  const extended = timestamp >= EXTENDED ? uint32(timestamp) : Buffer.alloc(0);
  const header = Buffer.alloc(11);
  header.writeUIntBE(Math.min(timestamp, EXTENDED), 0, 3);
  header.writeUIntBE(payload.length, 3, 3);
  header[6] = typeId;
  header.writeUInt32LE(streamId, 7);
  const parts = [basicHeader(0, chunkStreamId), header, extended, payload.subarray(0, chunkSize)];
  const next = basicHeader(3, chunkStreamId);
  for (let at = chunkSize; at < payload.length; at += chunkSize) {
    parts.push(next, extended, payload.subarray(at, at + chunkSize));
  }
  return Buffer.concat(parts);
}

/** RTMP 1.0 section 5.3.1.1: one byte for the ids 2 to 63, two to 319, three to 65599. */
export function basicHeader(format: 0 | 1 | 2 | 3, chunkStreamId: number): Buffer {
  const bits = format << 6;
  if (chunkStreamId < 64) return Buffer.from([bits | chunkStreamId]);
  const rest = chunkStreamId - 64;
  return Buffer.from(rest < 256 ? [bits, rest] : [bits | 1, rest & 0xff, rest >> 8]);
}
