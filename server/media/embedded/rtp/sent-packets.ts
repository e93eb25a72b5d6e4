/** Rewriting changes nothing after these bytes of a payload: the longest payload descriptor with a picture id is shorter. */
const REWRITTEN_PAYLOAD = 16;

/** Longer than any header with the extensions that the server writes, and the start of a payload. */
const HEAD_BYTES = 128;

interface SentPacket {
  readonly sequence: number;
  /** How long the header, its extensions and the start of the payload are. */
  readonly headLength: number;
  /** The source's packet, which has the rest. */
  readonly original: Buffer;
  readonly restAt: number;
}

/**
 * The last packets that were sent to a receiver without RTX, to send them again bit by bit. SRTP derives its nonce from
 * SSRC and sequence number, and libdatachannel encrypts what has both once more. Two packets that differ, in the header
 * extensions alone, would be encrypted with one nonce: with AES-GCM that reveals the authentication key.
 */
export class SentPackets {
  readonly #slots: (SentPacket | undefined)[] = [];
  /**
   * The heads as they were sent, one behind the other. Small buffers of their own would each keep a whole slab of Node's
   * pool in memory.
   */
  readonly #heads: Buffer;
  readonly #mask: number;

  /** @param size number of packets, a power of two */
  constructor(size: number) {
    this.#mask = size - 1;
    this.#heads = Buffer.allocUnsafeSlow(size * HEAD_BYTES);
  }

  /**
   * @param sequence as sent, extended
   * @param sent the packet as it was sent, which is copied as far as it differs from the original
   * @param original the source's packet, which must not change any more
   * @param payloadAt offset of the payload in the original
   */
  add(sequence: number, sent: Buffer, original: Buffer, payloadAt: number): void {
    const slot = sequence & this.#mask;
    const restAt = Math.min(original.length, payloadAt + REWRITTEN_PAYLOAD);
    const headLength = sent.length - (original.length - restAt);
    if (headLength > HEAD_BYTES) {
      this.#slots[slot] = undefined;
      return;
    }
    sent.copy(this.#heads, slot * HEAD_BYTES, 0, headLength);
    this.#slots[slot] = { sequence, headLength, original, restAt };
  }

  /** A copy of the packet as it was sent. Undefined: it is not remembered. */
  find(sequence: number): Buffer | undefined {
    const slot = sequence & this.#mask;
    const sent = this.#slots[slot];
    if (sent?.sequence !== sequence) return undefined;
    const headAt = slot * HEAD_BYTES;
    const head = this.#heads.subarray(headAt, headAt + sent.headLength);
    return Buffer.concat([head, sent.original.subarray(sent.restAt)]);
  }
}
