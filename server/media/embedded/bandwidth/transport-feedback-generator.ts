import { transportFeedback } from '../rtcp/transport-feedback.js';

/** When a packet arrived: after `notBefore` and not later than `now`. The event loop may hand packets over late. */
export interface ArrivalWindow {
  readonly notBefore: number;
  readonly now: number;
}

/** More frequent feedback does not improve the sender's estimate. Less frequent feedback makes the sender slow. */
const FEEDBACK_INTERVAL_MS = 50;
const REMEMBERED_PACKETS = 4_096;
/** A larger jump in the sequence numbers means that the sender restarted. */
const MAX_JUMP = 1_024;
/** A packet that arrives after it was reported lost is reported again, unless it is this far back. */
const MAX_LATE_PACKETS = 512;
const MAX_PACKETS_PER_MESSAGE = 400;
/** An arrival delta has 16 bits of 250 µs. */
const MAX_DELTA_MS = 8_000;
const SEND_TIME_UNITS_PER_MS = 262.144;
const SEND_TIME_CYCLE_MS = 64_000;
/** The lowest delay counts for this long: clocks drift, and paths change. */
const BASELINE_MS = 10_000;

/**
 * Records when a publisher's packets arrive, and writes transport feedback for the publisher's bandwidth estimate.
 *
 * A busy event loop hands packets over late and in bursts, which a sender takes for congestion. If packets carry their
 * send time, the arrival time is estimated from it by the lowest delay seen, within the limits of the arrival window.
 * A delay in the network that is longer than the event loop's shows in the feedback; the event loop's does not.
 *
 *     const generator = new TransportFeedbackGenerator(ourSsrc);
 *     generator.onPacket(readTransportSequence(packet, id), sendTime, ssrc(packet), arrival);    // each packet
 *     for (const feedback of generator.takeFeedback(now)) sink.send(feedback);                    // every tick
 */
export class TransportFeedbackGenerator {
  readonly #senderSsrc: number;
  readonly #arrivals = new Float64Array(REMEMBERED_PACKETS).fill(NaN);
  /** Extended sequence numbers: the next to report, and the highest that arrived. */
  #next = -1;
  #highest = -1;
  #mediaSsrc = 0;
  #count = 0;
  #reportedAt = -Infinity;
  readonly #arrivalTimes = new ArrivalTimeEstimator();

  /** @param senderSsrc the server's SSRC in RTCP */
  constructor(senderSsrc: number) {
    this.#senderSsrc = senderSsrc;
  }

  /**
   * @param sequence the transport-wide sequence number; negative: the packet has none and is ignored
   * @param sendTime the 24 bits of the `abs-send-time` extension; negative: the packet has none
   */
  onPacket(sequence: number, sendTime: number, mediaSsrc: number, window: ArrivalWindow): void {
    if (sequence < 0) return;
    this.#mediaSsrc = mediaSsrc;
    const arrival = sendTime < 0 ? window.now : this.#arrivalTimes.estimate(sendTime, window);
    const ahead = ((sequence - (this.#highest & 0xffff)) << 16) >> 16;
    if (this.#highest < 0 || Math.abs(ahead) > MAX_JUMP) return this.#start(sequence, arrival);
    const extended = this.#highest + ahead;
    if (extended <= this.#next - MAX_LATE_PACKETS) return;
    for (let missing = this.#highest + 1; missing < extended; missing++) {
      this.#arrivals[missing % REMEMBERED_PACKETS] = NaN;
    }
    this.#highest = Math.max(this.#highest, extended);
    this.#next = Math.min(this.#next, extended);
    this.#arrivals[extended % REMEMBERED_PACKETS] = arrival;
  }

  /** The RTCP packets to send now. None if nothing arrived, or too soon after the last ones. */
  takeFeedback(now: number): Buffer[] {
    if (this.#highest < this.#next || this.#next < 0 || now - this.#reportedAt < FEEDBACK_INTERVAL_MS) return [];
    this.#reportedAt = now;
    const messages: Buffer[] = [];
    while (this.#next <= this.#highest) messages.push(this.#writeMessage());
    return messages;
  }

  #start(sequence: number, arrival: number): void {
    // One cycle up, so that no earlier number is negative.
    this.#next = this.#highest = sequence + 0x10000;
    this.#arrivals.fill(NaN);
    this.#arrivals[this.#highest % REMEMBERED_PACKETS] = arrival;
  }

  /** Reports as many packets as fit into one message. The highest arrived, so each message has at least one arrival. */
  #writeMessage(): Buffer {
    const first = this.#next;
    const arrivals: number[] = [];
    let before = NaN;
    for (; this.#next <= this.#highest; this.#next++) {
      const arrival = this.#arrivals[this.#next % REMEMBERED_PACKETS]!;
      if (Math.abs(arrival - before) > MAX_DELTA_MS) break;
      if (arrivals.length >= MAX_PACKETS_PER_MESSAGE && !Number.isNaN(before)) break;
      if (!Number.isNaN(arrival)) before = arrival;
      arrivals.push(arrival);
    }
    return transportFeedback(this.#senderSsrc, this.#mediaSsrc, {
      firstSequence: first & 0xffff,
      arrivals: Float64Array.from(arrivals),
      count: this.#count++ & 0xff,
    });
  }
}

/** Estimates arrival times from send times on the sender's clock, by the lowest delay seen. */
class ArrivalTimeEstimator {
  /** The last send time, without wrap and as received. */
  #sentAt = NaN;
  #sendTime = 0;
  #lowestDelay = Infinity;
  #previousLowestDelay = Infinity;
  #since = -Infinity;

  estimate(sendTime: number, { notBefore, now }: ArrivalWindow): number {
    const sentAt = this.#unwrap(sendTime / SEND_TIME_UNITS_PER_MS);
    if (now - this.#since > BASELINE_MS) {
      this.#previousLowestDelay = this.#lowestDelay;
      this.#lowestDelay = Infinity;
      this.#since = now;
    }
    this.#lowestDelay = Math.min(this.#lowestDelay, now - sentAt);
    const expected = sentAt + Math.min(this.#lowestDelay, this.#previousLowestDelay);
    return Math.max(Math.min(notBefore, now), Math.min(expected, now));
  }

  /** Send times wrap every 64 s. A time before the last one belongs to a packet that was sent earlier. */
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
