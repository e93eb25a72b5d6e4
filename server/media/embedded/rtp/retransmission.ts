import { randomInt } from 'node:crypto';
import {
  fixedHeaderEnd,
  payloadEnd,
  payloadStart,
  setPayloadType,
  setSequenceNumber,
  setSsrc,
  setTimestamp,
} from './packet.js';

const EXTENSION_BIT = 0x10;
const PADDING_BIT = 0x20;
const VERSION_2 = 0x80;
const HEADER_BYTES = 12;
/** Its length is in one byte. */
const MAX_PADDING_BYTES = 255;
/** The original sequence number (OSN) is in front of the payload. */
const OSN_BYTES = 2;

/**
 * Resends packets to one receiver on an SSRC of its own (RFC 4588), so that its losses are reported separately and
 * SRTP's replay check does not reject them.
 */
export class RetransmissionStream {
  readonly ssrc: number;
  /** In the lower half, as SRTP recommends (RFC 3711 section 3.3.1). */
  #next = randomInt(2 ** 15);

  /** @param ssrc as in the answer: `a=ssrc-group:FID <media> <this>` */
  constructor(ssrc: number = randomInt(1, 2 ** 32)) {
    this.ssrc = ssrc;
  }

  /**
   * A new RTX packet with the same timestamp, marker and payload, without a header extension.
   * @param packet as it was sent to the receiver; it is not changed
   * @param payloadType the receiver's payload type for `rtx` with `apt=` of this packet
   */
  wrap(packet: Buffer, payloadType: number): Buffer {
    const header = fixedHeaderEnd(packet);
    const start = payloadStart(packet);
    // Padding is not resent (section 4).
    const end = payloadEnd(packet);
    const wrapped = Buffer.allocUnsafe(header + OSN_BYTES + end - start);
    packet.copy(wrapped, 0, 0, header);
    wrapped[header] = packet[2]!;
    wrapped[header + 1] = packet[3]!;
    packet.copy(wrapped, header + OSN_BYTES, start, end);
    wrapped[0]! &= ~(PADDING_BIT | EXTENSION_BIT);
    setPayloadType(wrapped, payloadType);
    return this.#number(wrapped);
  }

  /** A packet of RTP padding alone (RFC 3550 section 5.1), as large as it can be. Receivers count it, and discard it. */
  padding(payloadType: number, timestamp: number): Buffer {
    const packet = Buffer.alloc(HEADER_BYTES + MAX_PADDING_BYTES);
    packet[0] = VERSION_2 | PADDING_BIT;
    packet[packet.length - 1] = MAX_PADDING_BYTES;
    setPayloadType(packet, payloadType);
    setTimestamp(packet, timestamp);
    return this.#number(packet);
  }

  #number(packet: Buffer): Buffer {
    setSequenceNumber(packet, this.#next);
    setSsrc(packet, this.ssrc);
    this.#next = (this.#next + 1) & 0xffff;
    return packet;
  }
}

/**
 * Restores the original packet in place, including its header extensions. The result is a view of `packet`.
 * `undefined`: there is no payload. Senders probe the network with such packets.
 * @param packet valid RTP with an `rtx` payload type
 * @param original the payload type by `apt=`, and the SSRC by the offer's FID group or the repaired RID
 */
export function unwrapRetransmission(
  packet: Buffer,
  original: { readonly payloadType: number; readonly ssrc: number },
): Buffer | undefined {
  const start = payloadStart(packet);
  if (payloadEnd(packet) - start <= OSN_BYTES) return undefined;
  const sequence = (packet[start]! << 8) | packet[start + 1]!;
  packet.copyWithin(OSN_BYTES, 0, start);
  const restored = packet.subarray(OSN_BYTES);
  setSequenceNumber(restored, sequence);
  setPayloadType(restored, original.payloadType);
  setSsrc(restored, original.ssrc);
  return restored;
}
