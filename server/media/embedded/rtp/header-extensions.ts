/**
 * Header extensions (RFC 8285). They are read in place, and written as a block that is built once for each receiver.
 * Ids are negotiated with each peer. Reading requires that `isRtp` returned true.
 */

/** URIs of the header extensions that the server reads or writes, as in `a=extmap`. */
export const MID = 'urn:ietf:params:rtp-hdrext:sdes:mid';
export const RID = 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id';
export const REPAIRED_RID = 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id';
export const TRANSPORT_SEQUENCE = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
export const ABSOLUTE_SEND_TIME = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';
export const PLAYOUT_DELAY = 'http://www.webrtc.org/experiments/rtp-hdrext/playout-delay';

export const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  MID,
  RID,
  REPAIRED_RID,
  TRANSPORT_SEQUENCE,
  ABSOLUTE_SEND_TIME,
  PLAYOUT_DELAY,
]);

const FIXED_HEADER = 12;
const EXTENSION_BIT = 0x10;
const ONE_BYTE = 0xbede;
/** The last four bits are defined by the application. */
const TWO_BYTE = 0x1000;
/** Twelve bits of 10 ms. With a low maximum, players would show each frame without any delay. */
const MAX_PLAYOUT_DELAY_MS = 40_950;

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

/** The extensions of one m-line, with the ids of the receiver's offer. Absent: not sent. */
export interface SentExtensions {
  readonly mid?: { readonly id: number; readonly value: string } | undefined;
  readonly streamId?: { readonly id: number; readonly value: string } | undefined;
  /**
   * How long the receiver delays playout, in ms (`http://www.webrtc.org/experiments/rtp-hdrext/playout-delay`).
   * Without limits the receiver decides, until `setPlayoutDelay` is called.
   */
  readonly playoutDelay?: { readonly id: number; readonly min?: number; readonly max?: number } | undefined;
  /** The id. `stamp` writes the value for each packet. */
  readonly transportSequence?: number | undefined;
  /**
   * The id of `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`. `stamp` writes the value for each packet.
   */
  readonly absoluteSendTime?: number | undefined;
}

/**
 * The header extensions of one receiver's m-line. The block is built once; `stamp` writes five bytes for each packet,
 * and `OutgoingPacket` copies the block into the packet.
 */
export class ExtensionBlock {
  /** With the header of four bytes, padded to whole words. Empty: there are no extensions. */
  readonly bytes: Buffer;
  readonly #sequenceAt: number;
  readonly #sendTimeAt: number;
  readonly #playoutDelayAt: number;

  /** @throws {RangeError} if an id or a value does not fit into a header extension */
  constructor(sent: SentExtensions) {
    const values = valuesOf(sent);
    const isShort = values.every(({ id, value }) => id < 15 && value.length <= 16);
    const starts = new Map<number, number>();
    const parts: Buffer[] = [];
    let length = 4;
    for (const { id, value } of values) {
      const head = isShort ? [(id << 4) | (value.length - 1)] : [id, value.length];
      starts.set(id, length + head.length);
      parts.push(Buffer.from(head), value);
      length += head.length + value.length;
    }
    const words = Math.ceil((length - 4) / 4);
    const header = Buffer.alloc(4);
    header.writeUInt16BE(isShort ? ONE_BYTE : TWO_BYTE, 0);
    header.writeUInt16BE(words, 2);
    this.bytes = words ? Buffer.concat([header, ...parts], 4 + 4 * words) : Buffer.alloc(0);
    this.#sequenceAt = starts.get(sent.transportSequence ?? 0) ?? -1;
    this.#sendTimeAt = starts.get(sent.absoluteSendTime ?? 0) ?? -1;
    this.#playoutDelayAt = starts.get(sent.playoutDelay?.id ?? 0) ?? -1;
  }

  /** Whether packets have a transport-wide sequence number, so that the receiver reports on each packet. */
  get hasTransportSequence(): boolean {
    return this.#sequenceAt >= 0;
  }

  /** Sets the range of the receiver's playout delay, in ms. */
  setPlayoutDelay(min: number, max = MAX_PLAYOUT_DELAY_MS): void {
    if (this.#playoutDelayAt >= 0) playoutDelayValue(min, max).copy(this.bytes, this.#playoutDelayAt);
  }

  /**
   * Writes the values of the next packet.
   * @param transportSequence counts the packets of all m-lines of the transport, modulo 65,536
   * @param now in ms
   */
  stamp(transportSequence: number, now: number): void {
    const { bytes } = this;
    if (this.#sequenceAt >= 0) {
      bytes[this.#sequenceAt] = (transportSequence >>> 8) & 0xff;
      bytes[this.#sequenceAt + 1] = transportSequence & 0xff;
    }
    if (this.#sendTimeAt >= 0) {
      // Seconds in 6.18 fixed point.
      const time = Math.floor((now % 64_000) * 262.144);
      bytes[this.#sendTimeAt] = (time >>> 16) & 0xff;
      bytes[this.#sendTimeAt + 1] = (time >>> 8) & 0xff;
      bytes[this.#sendTimeAt + 2] = time & 0xff;
    }
  }
}

function valuesOf({ mid, streamId, playoutDelay, transportSequence, absoluteSendTime }: SentExtensions) {
  const values: { readonly id: number; readonly value: Buffer }[] = [];
  if (mid) values.push({ id: mid.id, value: Buffer.from(mid.value, 'latin1') });
  if (streamId) values.push({ id: streamId.id, value: Buffer.from(streamId.value, 'latin1') });
  if (playoutDelay) {
    const { id, min = 0, max = MAX_PLAYOUT_DELAY_MS } = playoutDelay;
    values.push({ id, value: playoutDelayValue(min, max) });
  }
  if (transportSequence !== undefined) values.push({ id: transportSequence, value: Buffer.alloc(2) });
  if (absoluteSendTime !== undefined) values.push({ id: absoluteSendTime, value: Buffer.alloc(3) });
  if (new Set(values.map(({ id }) => id)).size !== values.length)
    throw new RangeError('two header extensions have the same id');
  for (const { id, value } of values) {
    if (id < 1 || id > 255) throw new RangeError(`invalid id of a header extension: ${id}`);
    if (value.length < 1 || value.length > 255) throw new RangeError('a header extension has 1 to 255 bytes');
  }
  return values;
}

/** Minimum and maximum, 12 bits each, in units of 10 ms. */
function playoutDelayValue(min: number, max: number): Buffer {
  const tens = (ms: number) => Math.min(0xfff, Math.max(0, Math.round(ms / 10)));
  const value = Buffer.alloc(3);
  value.writeUIntBE(tens(min) * 0x1000 + tens(Math.max(min, max)), 0, 3);
  return value;
}
