/**
 * Header extensions (RFC 8285), read in place. Ids are negotiated with each peer. Reading requires that `isRtp` returned
 * true.
 */

const FIXED_HEADER = 12;
const EXTENSION_BIT = 0x10;
export const ONE_BYTE = 0xbede;
/** The last four bits are defined by the application. */
export const TWO_BYTE = 0x1000;

const isOneByte = (packet: Uint8Array, header: number): boolean => profileAt(packet, header) === ONE_BYTE;
const profileAt = (packet: Uint8Array, header: number): number => (packet[header]! << 8) | packet[header + 1]!;
const headerEnd = (packet: Uint8Array): number => FIXED_HEADER + 4 * (packet[0]! & 0x0f);

/** The offset of the value of extension `id`, or -1. Allocates nothing. */
export function findExtension(packet: Uint8Array, id: number): number {
  if (!(packet[0]! & EXTENSION_BIT)) return -1;
  const header = headerEnd(packet);
  const end = header + 4 + 4 * ((packet[header + 2]! << 8) | packet[header + 3]!);
  if (isOneByte(packet, header)) return findOneByte(packet, id, header + 4, end);
  return (profileAt(packet, header) & 0xfff0) === TWO_BYTE ? findTwoByte(packet, id, header + 4, end) : -1;
}

/** RFC 8285 section 4.2. Id 15 and padding with a length end the search. */
function findOneByte(packet: Uint8Array, id: number, start: number, end: number): number {
  for (let at = start; at < end;) {
    const head = packet[at]!;
    if (head === 0) {
      at++;
      continue;
    }
    const found = head >> 4;
    const next = at + 2 + (head & 0x0f);
    if (found === 0 || found === 15 || next > end) return -1;
    if (found === id) return at + 1;
    at = next;
  }
  return -1;
}

/** RFC 8285 section 4.3. */
function findTwoByte(packet: Uint8Array, id: number, start: number, end: number): number {
  for (let at = start; at < end;) {
    const found = packet[at]!;
    if (found === 0) {
      at++;
      continue;
    }
    const next = at + 2 + (packet[at + 1] ?? 0);
    if (at + 2 > end || next > end) return -1;
    if (found === id) return at + 2;
    at = next;
  }
  return -1;
}

/** The length of the value that `findExtension` found at `at`. */
export function extensionLength(packet: Uint8Array, at: number): number {
  const head = packet[at - 1]!;
  return isOneByte(packet, headerEnd(packet)) ? (head & 0x0f) + 1 : head;
}

/**
 * A MID, RID or repaired RID (RFC 8843 section 15, RFC 8852 section 4). It allocates a string: use it for the first
 * packets of an SSRC only.
 */
export function readTextExtension(packet: Buffer, id: number): string | undefined {
  const at = findExtension(packet, id);
  return at < 0 ? undefined : packet.toString('latin1', at, at + extensionLength(packet, at));
}

/** The transport-wide sequence number, or -1 (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 2). */
export function readTransportSequence(packet: Uint8Array, id: number): number {
  const at = findExtension(packet, id);
  return at < 0 || extensionLength(packet, at) < 2 ? -1 : (packet[at]! << 8) | packet[at + 1]!;
}

/** The `abs-send-time`: 24 bits, seconds in 6.18 fixed point; or -1. */
export function readSendTime(packet: Uint8Array, id: number): number {
  const at = findExtension(packet, id);
  if (at < 0 || extensionLength(packet, at) < 3) return -1;
  return (packet[at]! << 16) | (packet[at + 1]! << 8) | packet[at + 2]!;
}
