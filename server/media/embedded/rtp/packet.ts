/**
 * Reads and writes RTP headers in place (RFC 3550 section 5.1). These functions run for every packet, and allocate
 * nothing but views. All but `isRtp` and `isRtcp` require that `isRtp` returned true.
 */

const FIXED_HEADER = 12;
const EXTENSION_BIT = 0x10;
const PADDING_BIT = 0x20;
const MARKER_BIT = 0x80;

/** RTCP uses the same port. The second byte differs (RFC 5761 section 4). */
export function isRtcp(packet: Uint8Array): boolean {
  return packet.length >= 8 && packet[0]! >> 6 === 2 && packet[1]! >= 192 && packet[1]! <= 223;
}

/** Whether this is RTP with a complete header, including extension and padding. */
export function isRtp(packet: Uint8Array): boolean {
  if (packet.length < FIXED_HEADER || packet[0]! >> 6 !== 2 || isRtcp(packet)) return false;
  let end = FIXED_HEADER + 4 * (packet[0]! & 0x0f);
  if (packet[0]! & EXTENSION_BIT) {
    if (packet.length < end + 4) return false;
    end += 4 + 4 * uint16(packet, end + 2);
  }
  if (packet[0]! & PADDING_BIT) end += packet[packet.length - 1]!;
  return end <= packet.length;
}

/** Of video: the last packet of a frame. */
export const isMarked = (packet: Uint8Array): boolean => (packet[1]! & MARKER_BIT) !== 0;
export const payloadType = (packet: Uint8Array): number => packet[1]! & 0x7f;
export const sequenceNumber = (packet: Uint8Array): number => uint16(packet, 2);
export const timestamp = (packet: Uint8Array): number => uint32(packet, 4);
export const ssrc = (packet: Uint8Array): number => uint32(packet, 8);

/** Keeps the marker bit. */
export function setPayloadType(packet: Uint8Array, value: number): void {
  packet[1] = (packet[1]! & MARKER_BIT) | value;
}

export function setSequenceNumber(packet: Uint8Array, value: number): void {
  packet[2] = (value >>> 8) & 0xff;
  packet[3] = value & 0xff;
}

export function setTimestamp(packet: Uint8Array, value: number): void {
  setUint32(packet, 4, value);
}

export function setSsrc(packet: Uint8Array, value: number): void {
  setUint32(packet, 8, value);
}

/**
 * Removes the header extension, whose ids were negotiated with the sender. The header is moved in place, and the result
 * is a view of the packet.
 */
export function withoutHeaderExtension(packet: Buffer): Buffer {
  if (!(packet[0]! & EXTENSION_BIT)) return packet;
  const header = fixedHeaderEnd(packet);
  const extension = 4 + 4 * uint16(packet, header + 2);
  packet.copyWithin(extension, 0, header);
  const rest = packet.subarray(extension);
  rest[0]! &= ~EXTENSION_BIT;
  return rest;
}

/** The offset of the end of the header with its CSRCs, without a header extension. */
export function fixedHeaderEnd(packet: Uint8Array): number {
  return FIXED_HEADER + 4 * (packet[0]! & 0x0f);
}

/** The offset of the payload. */
export function payloadStart(packet: Uint8Array): number {
  const header = fixedHeaderEnd(packet);
  return packet[0]! & EXTENSION_BIT ? header + 4 + 4 * uint16(packet, header + 2) : header;
}

/** The offset of the end of the payload, without padding. */
export function payloadEnd(packet: Uint8Array): number {
  return packet[0]! & PADDING_BIT ? packet.length - packet[packet.length - 1]! : packet.length;
}

/** How far sequence number `a` is ahead of `b`, across the wrap, from -32768 to 32767. */
export function sequenceDistance(a: number, b: number): number {
  return ((a - b) << 16) >> 16;
}

function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

function setUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = (value >>> 16) & 0xff;
  bytes[at + 2] = (value >>> 8) & 0xff;
  bytes[at + 3] = value & 0xff;
}
