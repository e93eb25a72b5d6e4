import { payloadEnd, payloadStart, setPayloadType } from './packet.js';

/** A payload from an earlier packet, carried again (RFC 2198). */
export interface RedundantBlock {
  /** How much earlier, in units of the RTP timestamp. */
  readonly timestampOffset: number;
  readonly payload: Buffer;
}

const MORE_BLOCKS = 0x80;
const BLOCK_HEADER = 4;
/** The last block is the packet's own: its header has no timestamp and no length. */
const OWN_HEADER = 1;
/** 14 bits. */
export const MAX_TIMESTAMP_OFFSET = 0x3fff;
/** 10 bits. */
export const MAX_BLOCK_BYTES = 0x3ff;
/** Senders carry one to nine earlier payloads. */
const MAX_BLOCKS = 32;
const MARKER = 0x80;
const PADDING_BIT = 0x20;

/**
 * Unpacks a packet with redundancy, and copies what it returns.
 * @param packet valid RTP without a header extension
 * @param payloadType of the blocks to accept; others are left out
 * @returns the packet as it would be without redundancy, and the other blocks, oldest first. Undefined: it is malformed,
 *   has too many blocks, or its own block has another payload type
 */
export function unpackRedundancy(
  packet: Buffer,
  payloadType: number,
): { readonly packet: Buffer; readonly blocks: readonly RedundantBlock[] } | undefined {
  const start = payloadStart(packet);
  const end = payloadEnd(packet);
  const found: { type: number; timestampOffset: number; length: number }[] = [];
  let at = start;
  while (at < end && packet[at]! & MORE_BLOCKS) {
    if (at + BLOCK_HEADER > end || found.length === MAX_BLOCKS) return undefined;
    const timestampOffset = (packet[at + 1]! << 6) | (packet[at + 2]! >> 2);
    const length = ((packet[at + 2]! & 0x03) << 8) | packet[at + 3]!;
    found.push({ type: packet[at]! & 0x7f, timestampOffset, length });
    at += BLOCK_HEADER;
  }
  if (at >= end || packet[at] !== payloadType) return undefined;
  at += OWN_HEADER;
  const blocks: RedundantBlock[] = [];
  for (const { type, timestampOffset, length } of found) {
    if (at + length > end) return undefined;
    if (type === payloadType && length > 0 && timestampOffset > 0) {
      blocks.push({ timestampOffset, payload: Buffer.from(packet.subarray(at, at + length)) });
    }
    at += length;
  }
  const own = Buffer.concat([packet.subarray(0, start), packet.subarray(at, end)]);
  own[0]! &= ~PADDING_BIT;
  setPayloadType(own, payloadType);
  return { packet: own, blocks };
}

/**
 * Adds redundancy to a packet. The result has the packet's header, also its payload type: set that of RED.
 * @param packet valid RTP without a header extension; it is not changed
 * @param payloadType of all blocks
 * @param blocks oldest first, within `MAX_TIMESTAMP_OFFSET` and `MAX_BLOCK_BYTES`
 */
export function packRedundancy(packet: Buffer, payloadType: number, blocks: readonly RedundantBlock[]): Buffer {
  const start = payloadStart(packet);
  const headers = Buffer.alloc(BLOCK_HEADER * blocks.length + OWN_HEADER);
  blocks.forEach(({ timestampOffset, payload }, index) => {
    if (timestampOffset > MAX_TIMESTAMP_OFFSET || payload.length > MAX_BLOCK_BYTES) {
      throw new RangeError('a redundant block is too old or too long');
    }
    const at = BLOCK_HEADER * index;
    headers[at] = MORE_BLOCKS | payloadType;
    headers.writeUIntBE(timestampOffset * 0x400 + payload.length, at + 1, 3);
  });
  headers[headers.length - 1] = payloadType;
  const own = packet.subarray(start, payloadEnd(packet));
  const packed = Buffer.concat([packet.subarray(0, start), headers, ...blocks.map(({ payload }) => payload), own]);
  packed[0]! &= ~PADDING_BIT;
  return packed;
}

/** A packet of the same sender with the payload of a block. @param next the packet that carried the block */
export function packetOfBlock(next: Buffer, sequence: number, { timestampOffset, payload }: RedundantBlock): Buffer {
  const packet = Buffer.concat([next.subarray(0, payloadStart(next)), payload]);
  packet[1]! &= ~MARKER;
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE((packet.readUInt32BE(4) - timestampOffset) >>> 0, 4);
  return packet;
}
