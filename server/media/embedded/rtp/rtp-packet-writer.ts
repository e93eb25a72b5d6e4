import { captureTimeBlock, type NtpTime } from './kept-extensions.js';
import { setPayloadType, setSequenceNumber, setSsrc, setTimestamp } from './packet.js';

const HEADER = 12;
const VERSION_2 = 0x80;
const MARKER = 0x80;
const EXTENSION_BIT = 0x10;
const NO_EXTENSION = Buffer.alloc(0);

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
   * @param captured when its frame was captured, if the packet says so
   * @returns the packet with its sequence number, which never wraps
   */
  next(
    payload: Buffer,
    timestamp: number,
    isLast: boolean,
    captured?: NtpTime,
  ): { readonly sequence: number; readonly packet: Buffer } {
    const sequence = ++this.#sequence;
    const extension = captured ? captureTimeBlock(captured) : NO_EXTENSION;
    const payloadAt = HEADER + extension.length;
    const packet = Buffer.alloc(payloadAt + payload.length);
    packet[0] = VERSION_2 | (captured ? EXTENSION_BIT : 0);
    packet[1] = isLast ? MARKER : 0;
    setPayloadType(packet, this.#payloadType);
    setSequenceNumber(packet, sequence & 0xffff);
    setTimestamp(packet, timestamp >>> 0);
    setSsrc(packet, this.#ssrc);
    extension.copy(packet, HEADER);
    payload.copy(packet, payloadAt);
    return { sequence, packet };
  }
}
