const LENGTH_BYTES = 2;
const EMPTY = Buffer.alloc(0);

/** In bytes. Another packet is an error. */
export interface PacketSizes {
  readonly least: number;
  readonly most: number;
}

/** Reads packets from a TCP stream: each follows its length in two bytes (RFC 4571, used by RFC 6544). */
export class TcpFrameReader {
  readonly #sizes: PacketSizes;
  /** The bytes of a frame that is not complete. They are copied: a view would keep a whole chunk in memory. */
  #rest = EMPTY;
  #length = 0;
  /** How many bytes must have come before anything can be read. */
  #needed = LENGTH_BYTES;

  constructor(sizes: PacketSizes) {
    this.#sizes = sizes;
  }

  /**
   * The packets that are complete now. The caller may keep their buffers.
   * @throws {RangeError} on an invalid length: the rest of the stream cannot be read
   */
  read(chunk: Buffer): Buffer[] {
    if (this.#length + chunk.length < this.#needed) {
      this.#keep(chunk);
      return [];
    }
    const bytes = this.#length > 0 ? Buffer.concat([this.#rest.subarray(0, this.#length), chunk]) : chunk;
    const { least, most } = this.#sizes;
    const packets: Buffer[] = [];
    let at = 0;
    this.#needed = LENGTH_BYTES;
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt16BE(at);
      if (length < least || length > most) throw new RangeError(`invalid frame length: ${length} bytes`);
      const end = at + LENGTH_BYTES + length;
      if (end > bytes.length) {
        this.#needed = end - at;
        break;
      }
      packets.push(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    this.#length = 0;
    if (at === bytes.length) this.#rest = EMPTY;
    else this.#keep(bytes.subarray(at));
    return packets;
  }

  #keep(bytes: Buffer): void {
    if (this.#rest.length === 0) this.#rest = Buffer.alloc(LENGTH_BYTES + this.#sizes.most);
    bytes.copy(this.#rest, this.#length);
    this.#length += bytes.length;
  }
}

export function tcpFrame(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + packet.length);
  frame.writeUInt16BE(packet.length);
  packet.copy(frame, LENGTH_BYTES);
  return frame;
}
