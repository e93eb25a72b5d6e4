import type { SenderReport } from '../rtcp/rtcp.js';

/** Two clocks of one source that are further apart than this cannot both be right. */
const FARTHEST_CLOCKS_MS = 2_000;

/**
 * The RTP times of what one receiver is sent: they go on where they were when another encoding takes over, whatever
 * time that one begins with.
 *
 *     times.leave(before.clock);                  // an encoding is to take over
 *     times.begin(first, encoding.clock, now);    // with its first packet
 *     const sent = times.of(timestamp);           // each packet
 *     times.note(sent, now);                      // each that none before it is newer than
 */
export class TimestampRewriter {
  readonly #rate: number;
  #offset = 0;
  #last = 0;
  /** NaN: nothing was sent. A number all the same, as it is written for each packet, and numbers need no memory anew. */
  #lastAt = NaN;
  /** The clock of the encoding before, in our times. */
  #clockBefore: SenderReport | undefined;

  /** @param clockRate in Hz */
  constructor(clockRate: number) {
    this.#rate = clockRate;
  }

  /** When something was sent last. Undefined: nothing was. */
  get lastSentAt(): number | undefined {
    return Number.isNaN(this.#lastAt) ? undefined : this.#lastAt;
  }

  rewrite(timestamp: number): number {
    return (timestamp + this.#offset) >>> 0;
  }

  onSent(sent: number, now: number): void {
    this.#last = sent;
    this.#lastAt = now;
  }

  /** @param clock how the wall clock and the media clock of what was sent until now go together, if that is known */
  endSource(clock: SenderReport | undefined): void {
    this.#clockBefore = clock && { ...clock, rtpTimestamp: this.rewrite(clock.rtpTimestamp) };
  }

  /** @param clock as of what takes over */
  startSource(first: number, clock: SenderReport | undefined, now: number): void {
    this.#offset = (this.#next(first, clock, now) - first) >>> 0;
  }

  /** By the clocks of the encodings where both are known, else by the time that went by. Never the same again. */
  #next(first: number, clock: SenderReport | undefined, now: number): number {
    if (Number.isNaN(this.#lastAt)) return first;
    const rate = this.#rate;
    const step = Math.round(rate / 1_000);
    const elapsed = Math.round(((now - this.#lastAt) * rate) / 1_000);
    const before = this.#clockBefore;
    if (!clock || !before) return this.#last + Math.max(step, elapsed);
    const between = (ntpSeconds(clock) - ntpSeconds(before)) * rate;
    const sameMoment = before.rtpTimestamp + Math.round(between) + first - clock.rtpTimestamp;
    const ahead = (sameMoment - this.#last) | 0;
    const isPlausible = Math.abs(ahead - elapsed) <= (FARTHEST_CLOCKS_MS * rate) / 1_000;
    return this.#last + Math.max(step, isPlausible ? ahead : elapsed);
  }
}

const ntpSeconds = ({ ntpSeconds, ntpFraction }: SenderReport): number => ntpSeconds + ntpFraction / 2 ** 32;
