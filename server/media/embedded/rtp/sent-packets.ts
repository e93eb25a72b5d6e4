/** Rewriting changes nothing after these bytes of a payload: the longest payload descriptor with a picture id is shorter. */
const REWRITTEN_PAYLOAD = 16;

/** Room for a header with the extensions that viewers usually get, and the start of a payload. */
const USUAL_HEAD_BYTES = 64;
/** Longer than any header with the extensions that the server writes, and the start of a payload. */
const MAX_HEAD_BYTES = 128;

/**
 * The last packets that were sent to a receiver without RTX, to send them again bit by bit. SRTP derives its nonce from
 * SSRC and sequence number, and libdatachannel encrypts what has both once more. Two packets that differ, in the header
 * extensions alone, would be encrypted with one nonce: with AES-GCM that reveals the authentication key.
 *
 * Each receiver has one of these, so it has no object for each packet.
 */
export class SentPackets {
  /** Of the packet in each slot, its lower 32 bits. */
  readonly #sequences: Uint32Array;
  /** How long the header, its extensions and the start of the payload are. 0: there is no packet in the slot. */
  readonly #headLengths: Uint8Array;
  /** The source's packets, which have the rest. */
  readonly #originals: (Buffer | undefined)[];
  /** Where the rest begins in them. */
  readonly #restsAt: Uint16Array;
  /** The heads as they were sent, one behind the other. */
  #heads: Uint8Array;
  #headBytes = USUAL_HEAD_BYTES;
  readonly #mask: number;

  /** @param size number of packets, a power of two */
  constructor(size: number) {
    this.#mask = size - 1;
    this.#sequences = new Uint32Array(size);
    this.#headLengths = new Uint8Array(size);
    this.#originals = Array.from<Buffer | undefined>({ length: size });
    this.#restsAt = new Uint16Array(size);
    this.#heads = new Uint8Array(size * USUAL_HEAD_BYTES);
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
    if (headLength > MAX_HEAD_BYTES) {
      this.#headLengths[slot] = 0;
      return;
    }
    if (headLength > this.#headBytes) this.#makeRoom();
    const heads = this.#heads;
    const headAt = slot * this.#headBytes;
    // Byte by byte, because a call into the runtime costs more for so few bytes.
    for (let at = 0; at < headLength; at++) heads[headAt + at] = sent[at]!;
    this.#sequences[slot] = sequence;
    this.#headLengths[slot] = headLength;
    this.#originals[slot] = original;
    this.#restsAt[slot] = restAt;
  }

  /** A copy of the packet as it was sent. Undefined: it is not remembered. */
  find(sequence: number): Buffer | undefined {
    const slot = sequence & this.#mask;
    const headLength = this.#headLengths[slot]!;
    if (headLength === 0 || this.#sequences[slot] !== sequence >>> 0) return undefined;
    const headAt = slot * this.#headBytes;
    const head = this.#heads.subarray(headAt, headAt + headLength);
    return Buffer.concat([head, this.#originals[slot]!.subarray(this.#restsAt[slot])]);
  }

  /** Forgets what was sent before. */
  #makeRoom(): void {
    this.#headBytes = MAX_HEAD_BYTES;
    this.#heads = new Uint8Array((this.#mask + 1) * MAX_HEAD_BYTES);
    this.#headLengths.fill(0);
  }
}
