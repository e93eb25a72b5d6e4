/** Rewriting changes nothing after these bytes of a payload: the longest payload descriptor with a picture id is shorter. */
const REWRITTEN_PAYLOAD = 16;

interface SentPacket {
  readonly sequence: number;
  /** The header, its extensions and the start of the payload, as they were sent. */
  readonly head: Buffer;
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
  readonly #mask: number;

  /** @param size number of packets, a power of two */
  constructor(size: number) {
    this.#mask = size - 1;
  }

  /**
   * @param sequence as sent, extended
   * @param sent the packet as it was sent, which is copied as far as it differs from the original
   * @param original the source's packet, which must not change any more
   * @param payloadAt offset of the payload in the original
   */
  add(sequence: number, sent: Buffer, original: Buffer, payloadAt: number): void {
    const restAt = Math.min(original.length, payloadAt + REWRITTEN_PAYLOAD);
    const head = Buffer.from(sent.subarray(0, sent.length - (original.length - restAt)));
    this.#slots[sequence & this.#mask] = { sequence, head, original, restAt };
  }

  /** A copy of the packet as it was sent. Undefined: it is not remembered. */
  find(sequence: number): Buffer | undefined {
    const sent = this.#slots[sequence & this.#mask];
    return sent?.sequence === sequence ? Buffer.concat([sent.head, sent.original.subarray(sent.restAt)]) : undefined;
  }
}
