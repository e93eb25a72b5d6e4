const LOWEST = 50_000;
const HIGHEST = 20_000_000;
/** Per second: far from what the path was last seen to carry, and around it. */
const FAST_GROWTH = 0.35;
const SLOW_GROWTH = 0.08;
const AROUND = [0.8, 1.1] as const;
/** For how long what the path was seen to carry says anything. */
const CAPACITY_KNOWN_MS = 15_000;
/** Who seldom grows does not make up for it at once. */
const LONGEST_STEP_S = 0.5;
/** A sender with nothing more to send proves no more: this is as far as hope goes, so that a better layer is tried. */
const HOPE = 4;
const HOPE_BITRATE = 300_000;

/** What a path is believed to carry, in bit/s: fast to grow until it was seen full, and slow around what came then. */
export class RateControl {
  #bitsPerSecond: number;
  /** What the path carried when it was last full. */
  #capacity: number | undefined;
  #capacityAt = -Infinity;
  #grownAt = -Infinity;

  constructor(bitsPerSecond: number) {
    this.#bitsPerSecond = bitsPerSecond;
  }

  get bitsPerSecond(): number {
    return this.#bitsPerSecond;
  }

  /** It is no less than this. */
  raise(bitsPerSecond: number): void {
    this.#set(Math.max(this.#bitsPerSecond, bitsPerSecond));
  }

  /** It is no more than this. */
  lower(bitsPerSecond: number): void {
    this.#set(Math.min(this.#bitsPerSecond, bitsPerSecond));
  }

  /** This is what came of more. */
  onCapacityMeasured(bitsPerSecond: number, now: number): void {
    this.#capacity = bitsPerSecond;
    this.#capacityAt = now;
  }

  /** This came: who carries more than when it was full carries nobody knows how much. */
  onDelivered(bitsPerSecond: number): void {
    if (this.#capacity !== undefined && bitsPerSecond > this.#capacity * AROUND[1]) this.#capacity = undefined;
  }

  /** Nothing speaks against more than this, which came lately. */
  grow(delivered: number, now: number): void {
    const seconds = Math.min(LONGEST_STEP_S, Math.max(0, now - this.#grownAt) / 1_000);
    this.#grownAt = now;
    if (now - this.#capacityAt > CAPACITY_KNOWN_MS) this.#capacity = undefined;
    const capacity = this.#capacity ?? Infinity;
    const isAround = this.#bitsPerSecond > capacity * AROUND[0];
    const grown = this.#bitsPerSecond * (1 + (isAround ? SLOW_GROWTH : FAST_GROWTH) * seconds);
    const hope = Math.min(HOPE * delivered + HOPE_BITRATE, Math.max(capacity, delivered) * AROUND[1]);
    this.raise(Math.min(grown, hope));
  }

  #set(bitsPerSecond: number): void {
    this.#bitsPerSecond = Math.min(HIGHEST, Math.max(LOWEST, bitsPerSecond));
  }
}
