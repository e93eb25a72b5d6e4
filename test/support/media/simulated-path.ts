/** The conditions of a network path. They may change while packets are under way. */
export interface PathConditions {
  /** The capacity of the narrowest link, bit/s. */
  capacity: number;
  /** One way, in ms. */
  delay: number;
  /** Random loss, 0 to 1. */
  loss: number;
  /** The maximum jitter of the narrowest link. */
  jitter: number;
  /** The longest queue of the narrowest link, in ms, before it drops packets. */
  buffer: number;
}

export const GOOD_PATH: PathConditions = { capacity: 100_000_000, delay: 20, loss: 0, jitter: 0, buffer: 1_000 };

/** A link with a queue. The time is an input, and the random numbers are the same each time. */
export class SimulatedPath {
  readonly conditions: PathConditions;
  #freeAt = 0;
  #lastArrival = 0;
  #random: () => number;

  constructor(conditions: Partial<PathConditions> = {}, seed = 1) {
    this.conditions = { ...GOOD_PATH, ...conditions };
    this.#random = seededRandom(seed);
  }

  /** How long a packet sent now waits behind others, in ms. */
  queue(now: number): number {
    return Math.max(0, this.#freeAt - now);
  }

  /** When a packet sent now arrives. NaN: it is lost. Packets arrive in order. */
  send(bytes: number, now: number): number {
    const { capacity, delay, loss, jitter, buffer } = this.conditions;
    const begins = Math.max(now, this.#freeAt);
    if (begins - now > buffer) return NaN;
    this.#freeAt = begins + (bytes * 8_000) / capacity;
    if (this.#random() < loss) return NaN;
    this.#lastArrival = Math.max(this.#lastArrival, this.#freeAt + delay + jitter * this.#random());
    return this.#lastArrival;
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
