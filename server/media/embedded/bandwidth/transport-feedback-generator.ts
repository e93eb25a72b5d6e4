import { transportFeedback } from '../rtcp/transport-feedback.js';

/** When a packet was handed to us: it came after `notBefore`, when nothing was there, and not later than `now`. */
export interface ArrivalWindow {
  readonly notBefore: number;
  readonly now: number;
}

/** Senders act on what they hear: sooner makes no better estimate, later makes them slow. */
const REPORT_EVERY_MS = 50;
const REMEMBERED = 4_096;
/** A sender that jumps this far has begun anew. */
const WIDEST_JUMP = 1_024;
/** What comes so late that it was reported missing is reported again, unless it is this far back. */
const LATEST = 512;
const MOST_IN_ONE = 400;
/** A delta has 16 bits of 250 µs. */
const FARTHEST_APART_MS = 8_000;
const SEND_TIME_UNITS_PER_MS = 262.144;
const SEND_TIME_CYCLE_MS = 64_000;
/** How long the shortest journey counts: clocks drift apart, and paths change. */
const BASELINE_MS = 10_000;

/**
 * When the packets of one sender's transport came, for its estimate of the network. A busy event loop hands packets
 * over late and in heaps, which a sender takes for congestion. So where packets tell when they were sent, each counts
 * as come when the fastest journeys would have brought it, within the limits of its handover: what the network delays
 * for longer than the loop did is seen, and what only the loop did is not.
 *
 *     const record = new TransportFeedbackGenerator(ourSsrc);
 *     record.note(readTransportSequence(packet, id), sendTime, ssrc(packet), handover);   // each packet
 *     for (const feedback of record.feedback(now)) sink.send(feedback);                    // every tick
 */
export class TransportFeedbackGenerator {
  readonly #sender: number;
  readonly #arrivals = new Float64Array(REMEMBERED).fill(NaN);
  /** Sequence numbers without wrap: the first to report, and the highest that came. */
  #next = -1;
  #highest = -1;
  #mediaSsrc = 0;
  #count = 0;
  #reportedAt = -Infinity;
  readonly #journeys = new ShortestJourney();

  /** @param sender what we call ourselves in reports */
  constructor(sender: number) {
    this.#sender = sender;
  }

  /**
   * @param sequence the transport-wide sequence number; negative: the packet has none and is passed over
   * @param sendTime its `abs-send-time` extension, 24 bits; negative when it has none
   */
  onPacket(sequence: number, sendTime: number, mediaSsrc: number, handover: ArrivalWindow): void {
    if (sequence < 0) return;
    this.#mediaSsrc = mediaSsrc;
    const arrival = sendTime < 0 ? handover.now : this.#journeys.arrival(sendTime, handover);
    const ahead = ((sequence - (this.#highest & 0xffff)) << 16) >> 16;
    if (this.#highest < 0 || Math.abs(ahead) > WIDEST_JUMP) return this.#begin(sequence, arrival);
    const extended = this.#highest + ahead;
    if (extended <= this.#next - LATEST) return;
    for (let missing = this.#highest + 1; missing < extended; missing++) this.#arrivals[missing % REMEMBERED] = NaN;
    this.#highest = Math.max(this.#highest, extended);
    this.#next = Math.min(this.#next, extended);
    this.#arrivals[extended % REMEMBERED] = arrival;
  }

  /** RTCP packets to send now; none while there is nothing new, or it is too soon. */
  takeFeedback(now: number): Buffer[] {
    if (this.#highest < this.#next || this.#next < 0 || now - this.#reportedAt < REPORT_EVERY_MS) return [];
    this.#reportedAt = now;
    const packets: Buffer[] = [];
    while (this.#next <= this.#highest) packets.push(this.#report());
    return packets;
  }

  #begin(sequence: number, arrival: number): void {
    // One cycle up leaves room below for what was sent before.
    this.#next = this.#highest = sequence + 0x10000;
    this.#arrivals.fill(NaN);
    this.#arrivals[this.#highest % REMEMBERED] = arrival;
  }

  /** As many as one packet takes. The highest came, so at least one of each report did. */
  #report(): Buffer {
    const first = this.#next;
    const arrivals: number[] = [];
    let before = NaN;
    for (; this.#next <= this.#highest; this.#next++) {
      const arrival = this.#arrivals[this.#next % REMEMBERED]!;
      if (Math.abs(arrival - before) > FARTHEST_APART_MS) break;
      if (arrivals.length >= MOST_IN_ONE && !Number.isNaN(before)) break;
      if (!Number.isNaN(arrival)) before = arrival;
      arrivals.push(arrival);
    }
    return transportFeedback(this.#sender, this.#mediaSsrc, {
      firstSequence: first & 0xffff,
      arrivals: Float64Array.from(arrivals),
      count: this.#count++ & 0xff,
    });
  }
}

/** The difference of two clocks, as the packets show it that were under way for the shortest time. */
class ShortestJourney {
  #sentAt = NaN;
  #sendTime = 0;
  #shortest = Infinity;
  #shortestBefore = Infinity;
  #since = -Infinity;

  arrival(sendTime: number, { notBefore, now }: ArrivalWindow): number {
    const sentAt = this.#unwrap(sendTime / SEND_TIME_UNITS_PER_MS);
    if (now - this.#since > BASELINE_MS) {
      this.#shortestBefore = this.#shortest;
      this.#shortest = Infinity;
      this.#since = now;
    }
    this.#shortest = Math.min(this.#shortest, now - sentAt);
    const expected = sentAt + Math.min(this.#shortest, this.#shortestBefore);
    return Math.max(Math.min(notBefore, now), Math.min(expected, now));
  }

  /** Send times start again every 64 s; one before the last is one sent earlier. */
  #unwrap(sendTime: number): number {
    if (Number.isNaN(this.#sentAt)) {
      this.#sentAt = this.#sendTime = sendTime;
      return sendTime;
    }
    const ahead = (((sendTime - this.#sendTime) % SEND_TIME_CYCLE_MS) + 1.5 * SEND_TIME_CYCLE_MS) % SEND_TIME_CYCLE_MS;
    this.#sendTime = sendTime;
    return (this.#sentAt += ahead - SEND_TIME_CYCLE_MS / 2);
  }
}
