/** A viewer who changes to another encoding may change back. */
const KEPT_FOR_MS = 2_000;

/** Which encodings of a video are to come: those in use, at once, and for a while those that were. */
export class WantedEncodings {
  /** When each was last in use, by index. */
  readonly #usedAt = new Map<number, number>();
  #wanted: readonly number[] = [];

  /** Whether an encoding is in use that does not come. */
  isChanged(inUse: readonly number[]): boolean {
    return inUse.some((index) => !this.#wanted.includes(index));
  }

  /** @returns those that are to come from now on; undefined: no change */
  update(inUse: readonly number[], now: number): readonly number[] | undefined {
    for (const index of inUse) this.#usedAt.set(index, now);
    for (const [index, at] of this.#usedAt) if (now - at > KEPT_FOR_MS) this.#usedAt.delete(index);
    const wanted = [...this.#usedAt.keys()].toSorted((a, b) => a - b);
    if (wanted.join() === this.#wanted.join()) return undefined;
    return (this.#wanted = wanted);
  }
}
