/** The measurements of the path from the packets of about 150 ms. */
export interface DelayEstimate {
  /**
   * The queueing delay, in ms, of the fastest packet. The fastest, because the packets of a large frame queue behind
   * each other on any path.
   */
  readonly queue: number;
  /** Whether the queue is shorter than in the previous estimate. */
  readonly shrinking: boolean;
  /** bit/s that arrived, over the last estimates. */
  readonly delivered: number;
}

const WINDOW_MS = 150;
const MIN_PACKETS = 3;
const RATE_WINDOWS = 3;
/** The lowest delay counts for this long: clocks drift, and paths change. */
const BASELINE_MS = 10_000;
/** A smaller difference is noise. */
const NOISE_MS = 3;
/** A larger step means that the receiver's clock was reset. */
const CLOCK_JUMP_MS = 10_000;

/**
 * Measures the queueing delay and the delivered bitrate from send and arrival times. It takes the place of the
 * arrival-time filter of draft-ietf-rmcat-gcc-02 section 5.3, which measures how the delay changes. This one measures the
 * delay above the lowest of the last 10 to 20 s, as LEDBAT does (RFC 6817); decision 30 compares them.
 */
export class DelayBasedEstimator {
  #baseline = Infinity;
  #previousBaseline = Infinity;
  #baselineSince = NaN;
  #ignoreBefore = -Infinity;
  #windowStart = NaN;
  #lastArrival = NaN;
  #packets = 0;
  #lowestDelay = Infinity;
  #bytes = 0;
  #previousQueue = 0;
  /** Bytes and ms of the last windows. */
  readonly #windows: [bytes: number, ms: number][] = [];

  /**
   * Call for each packet that arrived, in the order of sequence numbers.
   * @param arrival on the receiver's clock
   * @returns an estimate when a window is full
   */
  onPacketArrived(sentAt: number, arrival: number, bytes: number): DelayEstimate | undefined {
    if (Math.abs(arrival - this.#lastArrival) > CLOCK_JUMP_MS) this.#reset();
    if (Number.isNaN(this.#windowStart)) this.#windowStart = this.#baselineSince = arrival;
    this.#lastArrival = arrival;
    const delay = arrival - sentAt;
    this.#baseline = Math.min(this.#baseline, delay);
    this.#bytes += bytes;
    if (sentAt >= this.#ignoreBefore) {
      this.#packets++;
      this.#lowestDelay = Math.min(this.#lowestDelay, delay);
    }
    return arrival - this.#windowStart < WINDOW_MS ? undefined : this.#endWindow(arrival);
  }

  /** Ignores the delay of packets sent before this time: it depends on an earlier bitrate. */
  ignoreSentBefore(time: number): void {
    this.#ignoreBefore = time;
    this.#packets = 0;
    this.#lowestDelay = Infinity;
    this.#previousQueue = 0;
  }

  /** Takes the current delay as the path's own: the path changed, or others fill its queue. */
  resetBaseline(): void {
    this.#baseline = this.#previousBaseline = Infinity;
  }

  #endWindow(arrival: number): DelayEstimate | undefined {
    this.#windows.push([this.#bytes, arrival - this.#windowStart]);
    if (this.#windows.length > RATE_WINDOWS) this.#windows.shift();
    this.#windowStart = arrival;
    this.#bytes = 0;
    const baseline = Math.min(this.#baseline, this.#previousBaseline);
    if (arrival - this.#baselineSince > BASELINE_MS) {
      this.#previousBaseline = this.#baseline;
      this.#baseline = Infinity;
      this.#baselineSince = arrival;
    }
    if (this.#packets < MIN_PACKETS) return undefined;
    const queue = this.#lowestDelay === Infinity ? 0 : this.#lowestDelay - baseline;
    const shrinking = queue < this.#previousQueue - NOISE_MS;
    this.#previousQueue = queue;
    this.#packets = 0;
    this.#lowestDelay = Infinity;
    return { queue, shrinking, delivered: this.#delivered() };
  }

  #delivered(): number {
    let bytes = 0;
    let ms = 0;
    for (const [windowBytes, windowMs] of this.#windows) {
      bytes += windowBytes;
      ms += windowMs;
    }
    return (bytes * 8_000) / ms;
  }

  #reset(): void {
    this.resetBaseline();
    this.#windowStart = NaN;
    this.#windows.length = 0;
    this.#packets = this.#bytes = this.#previousQueue = 0;
    this.#lowestDelay = Infinity;
  }
}
