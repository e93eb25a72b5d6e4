/** Of packets of 10 ms, more than half a second. A power of two. */
const REMEMBERED_PACKETS = 64;

/**
 * Finds the sequence number of a lost packet by its timestamp, from the packets around it: a redundant block has a
 * timestamp only. All sequence numbers are extended.
 */
export class GapTimestamps {
  readonly #sequences = new Float64Array(REMEMBERED_PACKETS).fill(-1);
  readonly #timestamps = new Uint32Array(REMEMBERED_PACKETS);

  /** A packet arrived, or was restored. */
  add(sequence: number, timestamp: number): void {
    const at = sequence % REMEMBERED_PACKETS;
    this.#sequences[at] = sequence;
    this.#timestamps[at] = timestamp;
  }

  /**
   * @param timestamp of the lost packet
   * @param next a packet that came after it
   * @returns undefined: it is not lost, or it cannot be said which one it is
   */
  find(timestamp: number, next: number): number | undefined {
    let after = next;
    for (let sequence = next - 1; sequence > next - REMEMBERED_PACKETS; sequence--) {
      if (!this.#has(sequence)) continue;
      const ahead = (timestamp - this.#timestampOf(sequence)) | 0;
      if (ahead === 0) return undefined;
      if (ahead > 0) return this.#between(sequence, after, ahead);
      after = sequence;
    }
    return undefined;
  }

  /** The packets of a gap last equally long, unless there is only one. */
  #between(before: number, after: number, ahead: number): number | undefined {
    const missing = after - before - 1;
    if (missing === 1) return before + 1;
    const whole = (this.#timestampOf(after) - this.#timestampOf(before)) | 0;
    const steps = (ahead * (after - before)) / whole;
    return Number.isInteger(steps) && steps > 0 && steps <= missing ? before + steps : undefined;
  }

  #has(sequence: number): boolean {
    return sequence >= 0 && this.#sequences[sequence % REMEMBERED_PACKETS] === sequence;
  }

  #timestampOf(sequence: number): number {
    return this.#timestamps[sequence % REMEMBERED_PACKETS]!;
  }
}
