/** How many packets back a late packet can still be sent. A power of two. */
const REMEMBERED_PACKETS = 1024;
const MASK = REMEMBERED_PACKETS - 1;
/**
 * The first number is below 2^15 (RFC 3711 section 3.3.1): a receiver that misses the first packets cannot miss a wrap
 * with them, after which it could decrypt nothing.
 */
const FIRST_MASK = 0x7fff;
/**
 * A larger jump in the source's sequence numbers becomes a gap of one. SRTP infers the upper bits of a sequence number
 * from the packet before: after a step of 2^15 or more, libsrtp sends none of the packets that follow.
 */
const MAX_SKIPPED = REMEMBERED_PACKETS;

/**
 * Rewrites sequence numbers for one receiver: they continue when another source takes over, and dropped packets leave
 * no gap. Packets that were lost before they arrived here keep their gap, so that the receiver can request them.
 *
 * All sequence numbers are extended: they never wrap. Cut them to 16 bits for the header.
 */
export class SequenceRewriter {
  /** The number after the newest one given out. Undefined: none was. */
  #next: number | undefined;
  /** The source's highest number. */
  #highest = 0;
  #offset = 0;
  /** The offset of each remembered source number. Undefined as long as all have the same. */
  #offsets: Float64Array | undefined;
  /** Source numbers up to this one are unknown. */
  #unknownUpTo = 0;

  /** The highest number given out. Undefined: none was. */
  get newest(): number | undefined {
    return this.#next === undefined ? undefined : this.#next - 1;
  }

  /** @param first the first number of a source that takes over */
  startSource(first: number): void {
    this.#offset = (this.#next ?? first & FIRST_MASK) - first;
    this.#highest = this.#unknownUpTo = first - 1;
    this.#offsets = undefined;
  }

  /** Whether this number is so far ahead that the source did not lose what is between, but began anew. */
  isJump(source: number): boolean {
    return source - this.#highest > MAX_SKIPPED;
  }

  /** Whether no later number was given to `rewrite` or `drop`. */
  isNewest(source: number): boolean {
    return source >= this.#highest;
  }

  /**
   * The source goes on with this number, wherever it was. It leaves a gap of one: the receiver requests that packet in
   * vain, and then a keyframe.
   */
  skipTo(source: number): void {
    if (this.#next !== undefined) this.#next++;
    this.startSource(source);
  }

  /** The number to send a packet with. Undefined: it is older than the first, or not remembered any more. */
  rewrite(source: number): number | undefined {
    if (this.isJump(source)) this.skipTo(source);
    if (source > this.#highest) {
      this.#advance(source);
      this.#next = source + this.#offset + 1;
      return source + this.#offset;
    }
    return this.#isKnown(source) ? source + this.#offsetOf(source) : undefined;
  }

  /** The packet is not sent, and leaves no gap. @returns false if a later packet was sent already: the gap stays */
  drop(source: number): boolean {
    if (source <= this.#highest) return false;
    if (this.isJump(source)) this.skipTo(source);
    this.#offsets ??= new Float64Array(REMEMBERED_PACKETS).fill(this.#offset);
    this.#advance(source);
    this.#offset--;
    this.#offsets[source & MASK] = this.#offset;
    return true;
  }

  /** The source's number of a packet that was sent. Undefined: it is not remembered any more. */
  originalOf(sent: number): number | undefined {
    // Binary search: sent numbers never fall as source numbers rise. A dropped packet has the number of the one before.
    let low = Math.max(this.#unknownUpTo + 1, this.#highest - REMEMBERED_PACKETS + 1);
    let high = this.#highest;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (middle + this.#offsetOf(middle) >= sent) high = middle;
      else low = middle + 1;
    }
    return low <= this.#highest && low + this.#offsetOf(low) === sent ? low : undefined;
  }

  #advance(source: number): void {
    const offsets = this.#offsets;
    if (offsets) {
      const from = Math.max(this.#highest + 1, source - MASK);
      for (let number = from; number <= source; number++) offsets[number & MASK] = this.#offset;
    }
    this.#highest = source;
  }

  #isKnown(source: number): boolean {
    return source > this.#unknownUpTo && source > this.#highest - REMEMBERED_PACKETS;
  }

  #offsetOf(source: number): number {
    return this.#offsets ? this.#offsets[source & MASK]! : this.#offset;
  }
}
