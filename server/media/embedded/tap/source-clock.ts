import type { SenderReport } from '../rtcp/rtcp.js';

/** A report that contradicts the arrival of its packets by more than this is wrong, and is not used. */
const MAX_CONTRADICTION_MS = 2_000;

interface Moment {
  /** RTP, extended. */
  readonly timestamp: number;
  readonly at: number;
}

/** What all encodings of a source have in common: how the publisher's clock relates to ours. */
export class PublisherClock {
  /** Add to the publisher's wall-clock time. Undefined: no report came yet. */
  offsetMs: number | undefined;
}

/** Maps the RTP timestamps of one encoding to our wall-clock time, so that sound and picture are in sync. */
export class EncodingClock {
  readonly #publisher: PublisherClock;
  readonly #ticksPerMs: number;
  /** The packet that arrived with the least delay, before a time was asked for. */
  #arrival: Moment | undefined;
  #report: Moment | undefined;
  /** Came before any packet: it may be seconds old, so its own arrival says nothing. */
  #earlyReport: Moment | undefined;
  #isAsked = false;
  #last = { rtp: 0, extended: 0 };

  constructor(publisher: PublisherClock, clockRate: number) {
    this.#publisher = publisher;
    this.#ticksPerMs = clockRate / 1_000;
  }

  /** Whether a report is used: before, times follow from when packets arrived. */
  get hasReport(): boolean {
    this.#useEarlyReport();
    return this.#report !== undefined;
  }

  /** The timestamps have another start now: what is known about them does not apply any more. */
  restart(): void {
    this.#arrival = this.#report = this.#earlyReport = undefined;
    this.#isAsked = false;
  }

  /**
   * A tap first gets what came since the last keyframe, all at once: of these packets only the newest was not late.
   * @param now ms since 1970
   */
  onPacket(rtpTimestamp: number, now: number): void {
    if (this.#arrival && this.#isAsked) return;
    const timestamp = this.#extend(rtpTimestamp);
    if (!this.#arrival || now < this.#byArrival(timestamp)) this.#arrival = { timestamp, at: now };
  }

  onReport({ ntpSeconds, ntpFraction, rtpTimestamp }: SenderReport): void {
    const at = ntpSeconds * 1_000 + (ntpFraction / 2 ** 32) * 1_000;
    const report = { timestamp: this.#extend(rtpTimestamp), at };
    if (this.#arrival) this.#use(report);
    else this.#earlyReport = report;
  }

  /** After the first packet. @returns ms since 1970 */
  timeOf(rtpTimestamp: number): number {
    this.#useEarlyReport();
    this.#isAsked = true;
    const timestamp = this.#extend(rtpTimestamp);
    if (!this.#report) return this.#byArrival(timestamp);
    return this.#report.at + this.#publisher.offsetMs! + (timestamp - this.#report.timestamp) / this.#ticksPerMs;
  }

  #useEarlyReport(): void {
    if (!this.#earlyReport || !this.#arrival) return;
    this.#use(this.#earlyReport);
    this.#earlyReport = undefined;
  }

  #use(report: Moment): void {
    // The first report of a source says what its clock is.
    const expected = this.#byArrival(report.timestamp);
    const offset = this.#publisher.offsetMs ?? expected - report.at;
    if (Math.abs(report.at + offset - expected) > MAX_CONTRADICTION_MS) return;
    this.#publisher.offsetMs = offset;
    this.#report = report;
  }

  #byArrival(timestamp: number): number {
    const { timestamp: first, at } = this.#arrival!;
    return at + (timestamp - first) / this.#ticksPerMs;
  }

  /** Timestamps wrap at 32 bits: takes the value that is nearest to the last one. */
  #extend(rtp: number): number {
    const extended = this.#last.extended + ((rtp - this.#last.rtp) | 0);
    this.#last = { rtp, extended };
    return extended;
  }
}
