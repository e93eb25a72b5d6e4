/**
 * Header extensions (RFC 8285), read where they lie and written as a block that is made once for each receiver.
 * Ids are agreed with one peer and mean something else to the next. Reading trusts that `isRtp` said yes.
 */

const FIXED_HEADER = 12;
const EXTENSION_BIT = 0x10;
const ONE_BYTE = 0xbede;
/** Its last four bits are the application's. */
const TWO_BYTE = 0x1000;
/** Twelve bits of 10 ms. Players take a short one for a wish to show each picture as it comes. */
const LONGEST_PLAYOUT_MS = 40_950;

const isOneByte = (packet: Uint8Array, header: number): boolean => profileAt(packet, header) === ONE_BYTE;
const profileAt = (packet: Uint8Array, header: number): number => (packet[header]! << 8) | packet[header + 1]!;
const headerEnd = (packet: Uint8Array): number => FIXED_HEADER + 4 * (packet[0]! & 0x0f);

/** Where the value of extension `id` begins, or -1. Allocates nothing. */
export function findExtension(packet: Uint8Array, id: number): number {
  if (!(packet[0]! & EXTENSION_BIT)) return -1;
  const header = headerEnd(packet);
  const end = header + 4 + 4 * ((packet[header + 2]! << 8) | packet[header + 3]!);
  if (isOneByte(packet, header)) return findOneByte(packet, id, header + 4, end);
  return (profileAt(packet, header) & 0xfff0) === TWO_BYTE ? findTwoByte(packet, id, header + 4, end) : -1;
}

/** RFC 8285 section 4.2. Id 15 ends it, and so does padding that claims a length. */
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

/** How long the value is that `findExtension` found at `at`. */
export function extensionLength(packet: Uint8Array, at: number): number {
  const head = packet[at - 1]!;
  return isOneByte(packet, headerEnd(packet)) ? (head & 0x0f) + 1 : head;
}

/** A MID, a RID or a repaired RID (RFC 8843 15, RFC 8852 4). For the first packets of an SSRC: it makes a string. */
export function readTextExtension(packet: Buffer, id: number): string | undefined {
  const at = findExtension(packet, id);
  return at < 0 ? undefined : packet.toString('latin1', at, at + extensionLength(packet, at));
}

/** The transport-wide sequence number, -1 when the packet has none (draft-holmer-rmcat-transport-wide-cc-extensions-01 section 2). */
export function readTransportSequence(packet: Uint8Array, id: number): number {
  const at = findExtension(packet, id);
  return at < 0 || extensionLength(packet, at) < 2 ? -1 : (packet[at]! << 8) | packet[at + 1]!;
}

/** The time of sending, 24 bits of seconds in 6.18 fixed point; -1 when the packet has none. */
export function readSendTime(packet: Uint8Array, id: number): number {
  const at = findExtension(packet, id);
  if (at < 0 || extensionLength(packet, at) < 3) return -1;
  return (packet[at]! << 16) | (packet[at + 1]! << 8) | packet[at + 2]!;
}

/** What one receiver is sent on one m-line, under the ids that its offer gave. Absent: it is not sent. */
export interface SentExtensions {
  readonly mid?: { readonly id: number; readonly value: string } | undefined;
  readonly streamId?: { readonly id: number; readonly value: string } | undefined;
  /**
   * How long the receiver is to hold pictures back, in ms (`http://www.webrtc.org/experiments/rtp-hdrext/playout-delay`).
   * Without limits: as it likes, until `holdBack` says otherwise.
   */
  readonly playoutDelay?: { readonly id: number; readonly min?: number; readonly max?: number } | undefined;
  /** The id of it. Its value is stamped on each packet. */
  readonly transportSequence?: number | undefined;
  /** The id of `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`, stamped likewise. */
  readonly absoluteSendTime?: number | undefined;
}

/**
 * The header extensions of one receiver's m-line, ready to be put into packets by `OutgoingPacket`: made once, and
 * five bytes of it written anew for each packet.
 */
export class ExtensionBlock {
  /** With its own header of four bytes, padded to whole words. Empty: nothing is sent. */
  readonly bytes: Buffer;
  readonly #sequenceAt: number;
  readonly #sendTimeAt: number;
  readonly #playoutDelayAt: number;

  /** @throws {RangeError} when an id or a value fits no header extension */
  constructor(sent: SentExtensions) {
    const values = listed(sent);
    const short = values.every(({ id, value }) => id < 15 && value.length <= 16);
    const starts = new Map<number, number>();
    const parts: Buffer[] = [];
    let length = 4;
    for (const { id, value } of values) {
      const head = short ? [(id << 4) | (value.length - 1)] : [id, value.length];
      starts.set(id, length + head.length);
      parts.push(Buffer.from(head), value);
      length += head.length + value.length;
    }
    const words = Math.ceil((length - 4) / 4);
    const header = Buffer.alloc(4);
    header.writeUInt16BE(short ? ONE_BYTE : TWO_BYTE, 0);
    header.writeUInt16BE(words, 2);
    this.bytes = words ? Buffer.concat([header, ...parts], 4 + 4 * words) : Buffer.alloc(0);
    this.#sequenceAt = starts.get(sent.transportSequence ?? 0) ?? -1;
    this.#sendTimeAt = starts.get(sent.absoluteSendTime ?? 0) ?? -1;
    this.#playoutDelayAt = starts.get(sent.playoutDelay?.id ?? 0) ?? -1;
  }

  /** Whether packets carry a transport-wide sequence number, so that its receiver reports on each. */
  get hasTransportSequence(): boolean {
    return this.#sequenceAt >= 0;
  }

  /** From now on the receiver is to hold pictures back this long, in ms, or longer if it likes. */
  setPlayoutDelay(min: number, max = LONGEST_PLAYOUT_MS): void {
    if (this.#playoutDelayAt >= 0) playoutDelayValue(min, max).copy(this.bytes, this.#playoutDelayAt);
  }

  /**
   * What changes from packet to packet; what is not sent is passed over.
   * @param transportSequence counts every packet of the transport, over all its m-lines, modulo 65,536
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

function listed({ mid, streamId, playoutDelay, transportSequence, absoluteSendTime }: SentExtensions) {
  const values: { readonly id: number; readonly value: Buffer }[] = [];
  if (mid) values.push({ id: mid.id, value: Buffer.from(mid.value, 'latin1') });
  if (streamId) values.push({ id: streamId.id, value: Buffer.from(streamId.value, 'latin1') });
  if (playoutDelay) {
    const { id, min = 0, max = LONGEST_PLAYOUT_MS } = playoutDelay;
    values.push({ id, value: playoutDelayValue(min, max) });
  }
  if (transportSequence !== undefined) values.push({ id: transportSequence, value: Buffer.alloc(2) });
  if (absoluteSendTime !== undefined) values.push({ id: absoluteSendTime, value: Buffer.alloc(3) });
  if (new Set(values.map(({ id }) => id)).size !== values.length) throw new RangeError('two header extensions, one id');
  for (const { id, value } of values) {
    if (id < 1 || id > 255) throw new RangeError(`${id} is no id of a header extension`);
    if (value.length < 1 || value.length > 255) throw new RangeError('a header extension has 1 to 255 bytes');
  }
  return values;
}

/** Two numbers of 12 bits, each of 10 ms. */
function playoutDelayValue(min: number, max: number): Buffer {
  const tens = (ms: number) => Math.min(0xfff, Math.max(0, Math.round(ms / 10)));
  const value = Buffer.alloc(3);
  value.writeUIntBE(tens(min) * 0x1000 + tens(Math.max(min, max)), 0, 3);
  return value;
}
