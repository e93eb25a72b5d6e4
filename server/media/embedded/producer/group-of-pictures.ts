/** Ten seconds at 24 Mbit/s. A longer group is forgotten, and sinks wait for the next keyframe. */
const MAX_BYTES = 32 * 1024 * 1024;
/** After a wider gap the source was interrupted: nothing of it comes late. */
const MAX_GAP = 1_024;

/** The packets of an encoding since its newest keyframe. Those that are lost or late are missing. */
export class GroupOfPictures {
  #packets: (Buffer | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #isOpen = false;

  /** The extended sequence number of the first packet. Undefined: no group is known. */
  get first(): number | undefined {
    return this.#packets.length > 0 ? this.#first : undefined;
  }

  /** The extended sequence number of the last packet; one less than the first if there is none. */
  get last(): number {
    return this.#first + this.#packets.length - 1;
  }

  /** A keyframe begins with this packet. Packets of it may have come before. */
  begin(sequence: number): void {
    const isAhead = this.#isOpen && sequence > this.#first;
    this.#packets = isAhead ? this.#packets.slice(sequence - this.#first) : [];
    this.#first = sequence;
    this.#bytes = this.#packets.reduce((sum, packet) => sum + (packet?.length ?? 0), 0);
    this.#isOpen = true;
  }

  /**
   * Keeps the buffer itself, so it must not change any more.
   * @returns whether the group is forgotten with this packet: nothing is known of it until the next keyframe
   */
  add(packet: Buffer, sequence: number): boolean {
    if (!this.#isOpen || sequence < this.#first) return false;
    this.#bytes += packet.length;
    if (sequence > this.last + MAX_GAP || this.#bytes > MAX_BYTES) {
      this.#packets = [];
      this.#isOpen = false;
      return true;
    }
    this.#packets[sequence - this.#first] = packet;
    return false;
  }

  find(sequence: number): Buffer | undefined {
    return this.#packets[sequence - this.#first];
  }
}
