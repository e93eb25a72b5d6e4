/**
 * What a browser's packets are over TCP (RFC 4571, as RFC 6544 says for ICE): each behind its length, in two bytes.
 */
export class TcpFrameReader {
  readonly #largest: number;
  #rest: Buffer = EMPTY;

  /** @param largest in bytes: what is larger is no packet of ours */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /**
   * The packets that are whole by now. Their buffers are the caller's.
   * @throws {RangeError} at a length that is none: nothing that comes after it can be understood
   */
  read(chunk: Buffer): Buffer[] {
    const bytes = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    const packets: Buffer[] = [];
    let at = 0;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt16BE(at);
      if (length === 0 || length > this.#largest) throw new RangeError(`a packet of ${length} bytes`);
      const end = at + LENGTH_BYTES + length;
      if (end > bytes.length) break;
      packets.push(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    // Copied: the rest of a chunk must not keep the whole of it.
    this.#rest = at === bytes.length ? EMPTY : Buffer.from(bytes.subarray(at));
    return packets;
  }
}

export function tcpFrame(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + packet.length);
  frame.writeUInt16BE(packet.length);
  packet.copy(frame, LENGTH_BYTES);
  return frame;
}

const LENGTH_BYTES = 2;
const EMPTY = Buffer.alloc(0);
