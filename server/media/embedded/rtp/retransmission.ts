import { randomInt } from 'node:crypto';
import { payloadEnd, payloadStart, setPayloadType, setSequenceNumber, setSsrc } from './packet.js';

const EXTENSION_BIT = 0x10;
const PADDING_BIT = 0x20;
/** The original sequence number (OSN), ahead of the payload. */
const OSN = 2;

/**
 * Packets sent once more to one receiver (RFC 4588): on an SSRC of its own, so that its losses are told apart, and
 * so that SRTP's replay check lets it pass.
 */
export class RetransmissionStream {
  readonly ssrc: number;
  #next = randomInt(2 ** 16);

  /** @param ssrc as the answer names it: `a=ssrc-group:FID <media> <this>` */
  constructor(ssrc: number = randomInt(1, 2 ** 32)) {
    this.ssrc = ssrc;
  }

  /**
   * A new packet that carries this one: the same time and marker, its sequence number in front of its payload.
   * @param packet as the receiver was to have it, without a header extension; it is only read
   * @param payloadType the receiver's number for `rtx` with `apt=` the packet's own
   */
  wrap(packet: Buffer, payloadType: number): Buffer {
    const start = payloadStart(packet);
    // Padding is not sent again (section 4).
    const end = payloadEnd(packet);
    const wrapped = Buffer.allocUnsafe(end + OSN);
    packet.copy(wrapped, 0, 0, start);
    wrapped[start] = packet[2]!;
    wrapped[start + 1] = packet[3]!;
    packet.copy(wrapped, start + OSN, start, end);
    wrapped[0]! &= ~PADDING_BIT;
    setPayloadType(wrapped, payloadType);
    setSequenceNumber(wrapped, this.#next);
    setSsrc(wrapped, this.ssrc);
    this.#next = (this.#next + 1) & 0xffff;
    return wrapped;
  }
}

/**
 * The packet that this one carries, header extensions and all, in place: what comes is a view of `packet`.
 * `undefined`: it carries none. Senders probe the network with such.
 * @param packet valid RTP whose payload type is an `rtx`
 * @param original what its `apt=` says, and the SSRC that the offer's FID group, or the repaired RID, pairs it with
 */
export function unwrapRetransmission(
  packet: Buffer,
  original: { readonly payloadType: number; readonly ssrc: number },
): Buffer | undefined {
  let start = payloadStart(packet);
  if (packet[0]! & EXTENSION_BIT) start += 4 + 4 * ((packet[start + 2]! << 8) | packet[start + 3]!);
  // A packet of nothing but the number would be one of nothing at all.
  if (payloadEnd(packet) - start <= OSN) return undefined;
  const sequence = (packet[start]! << 8) | packet[start + 1]!;
  packet.copyWithin(OSN, 0, start);
  const carried = packet.subarray(OSN);
  setSequenceNumber(carried, sequence);
  setPayloadType(carried, original.payloadType);
  setSsrc(carried, original.ssrc);
  return carried;
}
