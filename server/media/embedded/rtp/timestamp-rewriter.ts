/** Maps RTP timestamps to wall-clock time, as a sender report does (RFC 3550 section 6.4.1). */
export interface MediaClock {
  /** NTP timestamp, seconds and fraction. */
  readonly ntpSeconds: number;
  readonly ntpFraction: number;
  readonly rtpTimestamp: number;
}

/** If two clocks of one source differ by more than this, at least one of them is wrong. */
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/**
 * Rewrites RTP timestamps for one receiver so that they continue when another encoding takes over, whatever timestamp
 * that encoding begins with.
 *
 *     timestamps.endSource(before.senderReport);                    // another encoding takes over
 *     timestamps.startSource(first, encoding.senderReport, now);    // with its first packet
 *     const sent = timestamps.rewrite(timestamp);                   // each packet
 *     timestamps.onSent(sent, now);                                 // each packet that is the newest so far
 */
export class TimestampRewriter {
  readonly #rate: number;
  #offset = 0;
  #last = 0;
  /** NaN: nothing was sent. Never undefined, because writing a number for each packet allocates nothing. */
  #lastSentAt = NaN;
  /** The clock of the previous encoding, with its RTP timestamp rewritten. */
  #previousClock: MediaClock | undefined;

  /** @param clockRate in Hz */
  constructor(clockRate: number) {
    this.#rate = clockRate;
  }

  /** When the last packet was sent. Undefined: none was. */
  get lastSentAt(): number | undefined {
    return Number.isNaN(this.#lastSentAt) ? undefined : this.#lastSentAt;
  }

  /** The newest timestamp that was sent; 0: none was. */
  get newest(): number {
    return this.#last;
  }

  rewrite(timestamp: number): number {
    return (timestamp + this.#offset) >>> 0;
  }

  onSent(sent: number, now: number): void {
    this.#last = sent;
    this.#lastSentAt = now;
  }

  /** @param clock of what was sent until now, if it is known */
  endSource(clock: MediaClock | undefined): void {
    this.#previousClock = clock && { ...clock, rtpTimestamp: this.rewrite(clock.rtpTimestamp) };
  }

  /** @param clock of what takes over, if it is known */
  startSource(first: number, clock: MediaClock | undefined, now: number): void {
    this.#offset = (this.#next(first, clock, now) - first) >>> 0;
  }

  /**
   * The encoding goes on after a discontinuity: its timestamps may be others.
   * @param first the first one after it
   */
  resume(first: number, now: number): void {
    if (Number.isNaN(this.#lastSentAt)) return;
    const rate = this.#rate;
    const elapsed = Math.round(((now - this.#lastSentAt) * rate) / 1_000);
    const ahead = (this.rewrite(first) - this.#last) | 0;
    if (ahead > 0 && this.#isPlausible(ahead, elapsed)) return;
    this.#offset = (this.#last + Math.max(Math.round(rate / 1_000), elapsed) - first) >>> 0;
  }

  /** By the clocks of both encodings if they are known, else by the elapsed time. Always later than the last one. */
  #next(first: number, clock: MediaClock | undefined, now: number): number {
    if (Number.isNaN(this.#lastSentAt)) return first;
    const rate = this.#rate;
    const step = Math.round(rate / 1_000);
    const elapsed = Math.round(((now - this.#lastSentAt) * rate) / 1_000);
    const before = this.#previousClock;
    if (!clock || !before) return this.#last + Math.max(step, elapsed);
    const between = (ntpTime(clock) - ntpTime(before)) * rate;
    const sameMoment = before.rtpTimestamp + Math.round(between) + first - clock.rtpTimestamp;
    const ahead = (sameMoment - this.#last) | 0;
    return this.#last + Math.max(step, this.#isPlausible(ahead, elapsed) ? ahead : elapsed);
  }

  #isPlausible(ahead: number, elapsed: number): boolean {
    return Math.abs(ahead - elapsed) <= (MAX_CLOCK_DIFFERENCE_MS * this.#rate) / 1_000;
  }
}

const ntpTime = ({ ntpSeconds, ntpFraction }: MediaClock): number => ntpSeconds + ntpFraction / 2 ** 32;
