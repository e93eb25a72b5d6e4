const MIN_BITRATE = 50_000;
const MAX_BITRATE = 20_000_000;
/** Growth per second below the known capacity, as a part of the estimate. */
const FAST_GROWTH = 0.35;
/**
 * Growth per second near the known capacity, in bit/s. It is the same for all flows of a bottleneck, while decreases are
 * parts of their bitrates: so the shares of flows become equal. The draft's step is half a packet for each response
 * time; this one does not depend on the round-trip time, so that longer paths have no disadvantage.
 */
const GROWTH_NEAR_CAPACITY = 60_000;
/** The parts of the capacity between which growth is slow. */
const NEAR_CAPACITY = [0.8, 1.1] as const;
/** A measured capacity counts for this long. */
const CAPACITY_VALID_MS = 15_000;
/** Growth after a long pause is limited to this time. */
const MAX_GROWTH_STEP_S = 0.5;
/**
 * What is delivered proves no more than itself. The draft allows 1.5 times as much. This is more, because a probe finds
 * nine tenths of what the path carries, and the next layer often needs four times as much as the one that is sent.
 */
const MAX_UNPROVEN_FACTOR = 4;
const MAX_UNPROVEN_BITRATE = 300_000;

/**
 * The estimated bitrate of a path, in bit/s, with additive increase near the capacity of the path, multiplicative
 * increase below it, and multiplicative decrease (draft-ietf-rmcat-gcc-02 section 5.5).
 */
export class RateControl {
  #bitsPerSecond: number;
  /** What was delivered when the path was last full. */
  #capacity: number | undefined;
  #capacityAt = -Infinity;
  #grownAt = -Infinity;

  constructor(bitsPerSecond: number) {
    this.#bitsPerSecond = bitsPerSecond;
  }

  get bitsPerSecond(): number {
    return this.#bitsPerSecond;
  }

  /** Raises the estimate to at least this. */
  raise(bitsPerSecond: number): void {
    this.#set(Math.max(this.#bitsPerSecond, bitsPerSecond));
  }

  /** Lowers the estimate to at most this. */
  lower(bitsPerSecond: number): void {
    this.#set(Math.min(this.#bitsPerSecond, bitsPerSecond));
  }

  /** More was sent, and this was delivered. */
  onCapacityMeasured(bitsPerSecond: number, now: number): void {
    this.#capacity = bitsPerSecond;
    this.#capacityAt = now;
  }

  /** Lowers the estimate to a part of itself: congestion, while too little is sent to measure what the path carries. */
  lowerUnproven(part: number, now: number): void {
    // It may be that of others, and the path is not wider than it was.
    this.#capacityAt = now;
    this.lower(this.#bitsPerSecond * part);
  }

  /** This was delivered. If it exceeds the known capacity, the capacity is unknown again. */
  onDelivered(bitsPerSecond: number): void {
    if (this.#capacity !== undefined && bitsPerSecond > this.#capacity * NEAR_CAPACITY[1]) this.#capacity = undefined;
  }

  /** Call while there is no congestion. @param delivered bit/s that arrived recently */
  grow(delivered: number, now: number): void {
    const seconds = Math.min(MAX_GROWTH_STEP_S, Math.max(0, now - this.#grownAt) / 1_000);
    this.#grownAt = now;
    if (now - this.#capacityAt > CAPACITY_VALID_MS) this.#capacity = undefined;
    const capacity = this.#capacity ?? Infinity;
    const isNearCapacity = this.#bitsPerSecond > capacity * NEAR_CAPACITY[0];
    const grown =
      this.#bitsPerSecond + (isNearCapacity ? GROWTH_NEAR_CAPACITY : FAST_GROWTH * this.#bitsPerSecond) * seconds;
    const limit = Math.min(
      MAX_UNPROVEN_FACTOR * delivered + MAX_UNPROVEN_BITRATE,
      Math.max(capacity, delivered) * NEAR_CAPACITY[1],
    );
    this.raise(Math.min(grown, limit));
  }

  #set(bitsPerSecond: number): void {
    this.#bitsPerSecond = Math.min(MAX_BITRATE, Math.max(MIN_BITRATE, bitsPerSecond));
  }
}
