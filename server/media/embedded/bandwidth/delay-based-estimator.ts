/** What the packets that came within some 150 ms say of the path. */
export interface DelayEstimate {
  /**
   * How long, in ms, every packet had to wait that the path could have carried at once. The wait of the luckiest: a
   * picture sent in one burst makes its own last packets wait, and no fault is in that.
   */
  readonly queue: number;
  /** Whether less than in the reading before. */
  readonly shrinking: boolean;
  /** bit/s that came, over the last readings. */
  readonly delivered: number;
}

const WINDOW_MS = 150;
const FEWEST_PACKETS = 3;
const RATE_WINDOWS = 3;
/** How long the fastest journey counts: clocks drift apart, and paths change. */
const BASELINE_MS = 10_000;
/** A difference this small is none. */
const NOISE_MS = 3;
/** A receiver's clock that jumps this far began anew. */
const CLOCK_JUMP_MS = 10_000;

/** The queue that packets meet on their way, and the rate at which they come out of it. */
export class DelayBasedEstimator {
  #base = Infinity;
  #baseBefore = Infinity;
  #baseSince = NaN;
  #ignoreBefore = -Infinity;
  #windowStart = NaN;
  #last = NaN;
  #packets = 0;
  #fastest = Infinity;
  #bytes = 0;
  #queueBefore = 0;
  /** Bytes and ms of the last windows. */
  readonly #rates: [bytes: number, ms: number][] = [];

  /**
   * Packets in the order of their numbers. A reading when a window is full.
   * @param arrival on the receiver's clock
   */
  onPacketArrived(sentAt: number, arrival: number, bytes: number): DelayEstimate | undefined {
    if (Math.abs(arrival - this.#last) > CLOCK_JUMP_MS) this.#forget();
    if (Number.isNaN(this.#windowStart)) this.#windowStart = this.#baseSince = arrival;
    this.#last = arrival;
    const journey = arrival - sentAt;
    this.#base = Math.min(this.#base, journey);
    this.#bytes += bytes;
    if (sentAt >= this.#ignoreBefore) {
      this.#packets++;
      this.#fastest = Math.min(this.#fastest, journey);
    }
    return arrival - this.#windowStart < WINDOW_MS ? undefined : this.#close(arrival);
  }

  /** What was sent before is no measure of what is sent now. */
  ignoreSentBefore(now: number): void {
    this.#ignoreBefore = now;
    this.#packets = 0;
    this.#fastest = Infinity;
    this.#queueBefore = 0;
  }

  /** The path itself takes as long as the packets of now: it is another, or somebody else's queue. */
  resetBaseline(): void {
    this.#base = this.#baseBefore = Infinity;
  }

  #close(arrival: number): DelayEstimate | undefined {
    this.#rates.push([this.#bytes, arrival - this.#windowStart]);
    if (this.#rates.length > RATE_WINDOWS) this.#rates.shift();
    this.#windowStart = arrival;
    this.#bytes = 0;
    const base = Math.min(this.#base, this.#baseBefore);
    if (arrival - this.#baseSince > BASELINE_MS) {
      this.#baseBefore = this.#base;
      this.#base = Infinity;
      this.#baseSince = arrival;
    }
    if (this.#packets < FEWEST_PACKETS) return undefined;
    const queue = this.#fastest === Infinity ? 0 : this.#fastest - base;
    const shrinking = queue < this.#queueBefore - NOISE_MS;
    this.#queueBefore = queue;
    this.#packets = 0;
    this.#fastest = Infinity;
    return { queue, shrinking, delivered: this.#delivered() };
  }

  #delivered(): number {
    let bytes = 0;
    let ms = 0;
    for (const [windowBytes, windowMs] of this.#rates) {
      bytes += windowBytes;
      ms += windowMs;
    }
    return (bytes * 8_000) / ms;
  }

  #forget(): void {
    this.resetBaseline();
    this.#windowStart = NaN;
    this.#rates.length = 0;
    this.#packets = this.#bytes = this.#queueBefore = 0;
    this.#fastest = Infinity;
  }
}
