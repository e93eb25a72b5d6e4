import type { SenderReport } from '../rtcp/rtcp.js';

/** A report that contradicts the arrival of its packets by more than this is wrong, and is not used. */
const MAX_CONTRADICTION_MS = 2_000;

/** What all encodings of a source have in common: how the publisher's clock relates to ours. */
export class PublisherClock {
  /** Add to the publisher's wall-clock time. Undefined: no report came yet. */
  offsetMs: number | undefined;
}

/** Maps the RTP timestamps of one encoding to our wall-clock time, so that sound and picture are in sync. */
export class EncodingClock {
  readonly #publisher: PublisherClock;
  readonly #ticksPerMs: number;
  /** The first packet. */
  #arrival: { readonly timestamp: number; readonly at: number } | undefined;
  #report: { readonly timestamp: number; readonly at: number } | undefined;
  #last = { rtp: 0, extended: 0 };

  constructor(publisher: PublisherClock, clockRate: number) {
    this.#publisher = publisher;
    this.#ticksPerMs = clockRate / 1_000;
  }

  /** Whether a report was used: before, times follow from when the first packet arrived. */
  get hasReport(): boolean {
    return this.#report !== undefined;
  }

  /** The timestamps have another start now: what is known about them does not apply any more. */
  restart(): void {
    this.#arrival = this.#report = undefined;
  }

  /** @param now ms since 1970 */
  onPacket(rtpTimestamp: number, now: number): void {
    this.#arrival ??= { timestamp: this.#extend(rtpTimestamp), at: now };
  }

  /** @param now ms since 1970 */
  onReport({ ntpSeconds, ntpFraction, rtpTimestamp }: SenderReport, now: number): void {
    const at = ntpSeconds * 1_000 + (ntpFraction / 2 ** 32) * 1_000;
    const timestamp = this.#extend(rtpTimestamp);
    // The first report of a source says what its clock is; by its arrival, or by that of the packets before it.
    const expected = this.#arrival ? this.#byArrival(timestamp) : now;
    const offset = this.#publisher.offsetMs ?? expected - at;
    if (Math.abs(at + offset - expected) > MAX_CONTRADICTION_MS) return;
    this.#publisher.offsetMs = offset;
    this.#report = { timestamp, at };
  }

  /** @returns ms since 1970 */
  timeOf(rtpTimestamp: number): number {
    const timestamp = this.#extend(rtpTimestamp);
    if (!this.#report) return this.#byArrival(timestamp);
    return this.#report.at + this.#publisher.offsetMs! + (timestamp - this.#report.timestamp) / this.#ticksPerMs;
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
