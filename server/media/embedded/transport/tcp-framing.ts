const LENGTH_BYTES = 2;
const EMPTY = Buffer.alloc(0);

/** Reads packets from a TCP stream: each follows its length in two bytes (RFC 4571, used by RFC 6544). */
export class TcpFrameReader {
  readonly #maxBytes: number;
  #rest: Buffer = EMPTY;

  /** @param maxBytes a longer packet is an error */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The packets that are complete now. The caller may keep their buffers.
   * @throws {RangeError} on an invalid length: the rest of the stream cannot be read
   */
  read(chunk: Buffer): Buffer[] {
    const bytes = this.#rest.length ? Buffer.concat([this.#rest, chunk]) : chunk;
    const packets: Buffer[] = [];
    let at = 0;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt16BE(at);
      if (length === 0 || length > this.#maxBytes) throw new RangeError(`invalid frame length: ${length} bytes`);
      const end = at + LENGTH_BYTES + length;
      if (end > bytes.length) break;
      packets.push(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    // A copy, because a view would keep the whole chunk in memory.
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
