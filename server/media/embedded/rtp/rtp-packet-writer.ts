import { setPayloadType, setSequenceNumber, setSsrc, setTimestamp } from '../rtp/packet.js';

const HEADER = 12;
const VERSION_2 = 0x80;
const MARKER = 0x80;

/** Numbers the packets of one track. */
export class RtpPacketWriter {
  readonly #payloadType: number;
  readonly #ssrc: number;
  #sequence = 0;

  constructor({ payloadType, ssrc }: { readonly payloadType: number; readonly ssrc: number }) {
    this.#payloadType = payloadType;
    this.#ssrc = ssrc;
  }

  /**
   * @param timestamp an integer, in units of the clock rate, of any size, also below 0
   * @param isLast of its frame
   * @returns the packet with its sequence number, which never wraps
   */
  next(payload: Buffer, timestamp: number, isLast: boolean): { readonly sequence: number; readonly packet: Buffer } {
    const sequence = ++this.#sequence;
    const packet = Buffer.alloc(HEADER + payload.length);
    packet[0] = VERSION_2;
    packet[1] = isLast ? MARKER : 0;
    setPayloadType(packet, this.#payloadType);
    setSequenceNumber(packet, sequence & 0xffff);
    setTimestamp(packet, timestamp >>> 0);
    setSsrc(packet, this.#ssrc);
    payload.copy(packet, HEADER);
    return { sequence, packet };
  }
}
