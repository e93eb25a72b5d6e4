/** Older packets could not be sent to players any more. A power of two. */
const REMEMBERED_PACKETS = 1_024;

/** Which packets of an encoding came, by their extended sequence numbers. */
export class ReceivedSequences {
  /** The last ones, at their index modulo the size. */
  readonly #seen = new Float64Array(REMEMBERED_PACKETS).fill(-1);
  #highest = -1;

  /** @returns false: it came before, or is too old to be remembered */
  add(sequence: number): boolean {
    const slot = sequence % REMEMBERED_PACKETS;
    if (sequence <= this.#highest - REMEMBERED_PACKETS || this.#seen[slot] === sequence) return false;
    this.#seen[slot] = sequence;
    this.#highest = Math.max(this.#highest, sequence);
    return true;
  }
}
