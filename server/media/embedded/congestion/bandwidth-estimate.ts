import type { TransportFeedback } from '../rtp/transport-feedback.js';
import { Futility } from './futility.js';
import { PathGauge, type PathReading } from './path-gauge.js';
import { Probing, type ProbeResult } from './probing.js';
import { SentPackets } from './sent-packets.js';

const LOWEST = 50_000;
const HIGHEST = 20_000_000;
/** Most networks carry a good picture: who begins low shows everybody a poor one first. */
const START = 2_000_000;
/** A standing queue of this many ms is congestion unless it shrinks; one of less than half of it is none. */
const MOST_QUEUE_MS = 25;
/** One of less than this is believed when it is seen twice: whoever hands packets over may have been busy once. */
const CERTAIN_QUEUE_MS = 100;
/** Loss above this, over what the path loses anyway, is congestion. Radio loses some per cent of whatever is sent. */
const MOST_LOSS = 0.1;
/** Per second: far from what the path was last seen to carry, and around it. */
const FAST_GROWTH = 0.35;
const SLOW_GROWTH = 0.08;
const AROUND = [0.8, 1.1] as const;
/** For how long what the path was seen to carry says anything. */
const CAPACITY_KNOWN_MS = 15_000;
/** A sender with nothing more to send proves no more: this is as far as hope goes, so that a better layer is tried. */
const HOPE = 4;
const HOPE_BITRATE = 300_000;
const LOSS_PACKETS = 60;
const LOSS_MS = 500;
/** What a full path was seen to carry, less what keeps a queue from growing in it. */
const SUSTAINED = 0.9;
/** A queue of a probe's own is gone after this. */
const DRAINED_MS = 300;
/** A path that had no queue for longer than this may have one. */
const CALM_MS = 600;
const SILENCE_MS = 1_000;
const OLD_FEEDBACK_MS = 5_000;
const ROUND_TRIP_MS = 5_000;

/**
 * How much a viewer's network carries, in bit/s for all that its transport is sent. From transport-wide feedback where
 * the viewer sends it: a queue that stands tells of congestion before anything is lost. Else from the viewer's own
 * estimate (REMB) and its receiver reports. One to a transport:
 *
 *     const sequence = estimate.sent(packet.length, now);       // each packet; its transport-wide sequence number
 *     extensions.stamp(sequence, now);
 *     estimate.hearFeedback(feedback, now);                     // RTCP 205/15
 *     estimate.hearMaximum(bitsPerSecond, now);                 // REMB
 *     estimate.hearLoss(report.fractionLost / 256, now);        // each report block on video
 *     estimate.hearRoundTrip(outlet.roundTrip(report, now), now);
 *     estimate.tick(now);                                       // once a second
 *     available = estimate.bitsPerSecond;
 *     if (estimate.probe(bitrate, now)) …                       // about once a second, when there is use for more
 *     bytes = estimate.owed(now);                               // each few tens of ms: what to send beside the media
 */
export class BandwidthEstimate {
  readonly #sent = new SentPackets();
  readonly #path = new PathGauge();
  readonly #probing = new Probing();
  /** When a packet was last seen to come without a queue. */
  #calmAt = -Infinity;
  /** And what came then, bit/s. */
  #calmRate = 0;
  #queueSeen = false;
  #estimate: number;
  /** What the path carried when it was last full. */
  #capacity: number | undefined;
  #capacityAt = -Infinity;
  #grownAt = -Infinity;
  #feedbackAt = -Infinity;
  /** When the first packet was sent since the last feedback. */
  #awaitedSince = Infinity;
  #maximum = Infinity;

  #roundTrip = NaN;
  #roundTripBefore = NaN;
  #roundTripSince = -Infinity;

  #sentBitrate = 0;
  #sentBytes = 0;
  #sentAt = -Infinity;

  /** Of the reports' counts since the last look at them. */
  #reported = 0;
  #lost = 0;
  #lossSince = -Infinity;
  #lossBefore = 0;
  #usualLoss = 0;

  readonly #queueSteps = new Futility();
  readonly #lossSteps = new Futility();

  constructor(start = START) {
    this.#estimate = start;
  }

  get bitsPerSecond(): number {
    return Math.round(this.#estimate);
  }

  /**
   * The shortest of the last seconds, in ms: to the viewer and back, with what it waits before it reports on packets.
   * `undefined`: it has not reported yet.
   */
  get roundTrip(): number | undefined {
    const shortest = Math.min(this.#roundTrip, Number.isNaN(this.#roundTripBefore) ? Infinity : this.#roundTripBefore);
    return Number.isNaN(shortest) ? undefined : shortest;
  }

  /** Counts a packet that is being sent, and answers its transport-wide sequence number. */
  sent(bytes: number, now: number): number {
    if (this.#awaitedSince === Infinity) this.#awaitedSince = now;
    this.#probing.sent(bytes, now);
    return this.#sent.add(bytes, now);
  }

  /** Counts a packet on which there will be no report, and answers 0. */
  sentUnnumbered(bytes: number): 0 {
    this.#sent.count(bytes);
    return 0;
  }

  /**
   * There would be use for this many bit/s, and no way to learn whether they are carried but to send them for a moment.
   * True: that has begun, and until `isProbing` says no, `owed` says what is to be sent besides.
   */
  probe(wanted: number, now: number): boolean {
    if (wanted <= this.#estimate || now - this.#calmAt > CALM_MS) return false;
    const ends = this.#probing.wish(wanted, this.#estimate, now);
    if (ends === undefined) return false;
    // The queue of a probe's own is no fault of the path.
    this.#path.ignoreSentBefore(ends);
    return true;
  }

  isProbing(now: number): boolean {
    return this.#probing.isRunning(now);
  }

  /** In bytes. */
  owed(now: number): number {
    return this.#probing.owed(now);
  }

  hearFeedback({ firstSequence, arrivals }: TransportFeedback, now: number): void {
    this.#feedbackAt = now;
    this.#awaitedSince = Infinity;
    this.#measureSent(now);
    let newest = NaN;
    for (let index = 0; index < arrivals.length; index++) {
      const sequence = (firstSequence + index) & 0xffff;
      const bytes = this.#sent.bytes(sequence);
      if (bytes === 0) continue;
      const sentAt = this.#sent.sentAt(sequence);
      // What a probe loses shows in what comes of it.
      const counts = !this.#probing.includes(sentAt);
      if (counts) this.#reported++;
      const arrival = arrivals[index]!;
      if (Number.isNaN(arrival)) {
        if (counts) this.#lost++;
        continue;
      }
      this.#sent.settle(sequence);
      newest = sentAt;
      const result = this.#probing.note(sentAt, arrival, bytes);
      if (result) this.#learn(result, now);
      const reading = this.#path.note(newest, arrival, bytes);
      if (reading) this.#read(reading, now);
    }
    if (!Number.isNaN(newest)) this.#noteRoundTrip(now - newest, now);
    if (this.#reported >= LOSS_PACKETS && now - this.#lossSince >= LOSS_MS) {
      this.#weighLoss(this.#lost / this.#reported, now);
      this.#reported = this.#lost = 0;
      this.#lossSince = now;
    }
  }

  /**
   * What the viewer thinks. It grows only as more comes, so that what it says while we send little, or have just begun
   * to send more, is no limit: only that it falls is news.
   */
  hearMaximum(bitsPerSecond: number, now: number): void {
    const falls = bitsPerSecond < this.#maximum * 0.97;
    this.#maximum = bitsPerSecond;
    if (falls) {
      if (bitsPerSecond < this.#estimate) this.#fill(bitsPerSecond, now);
      this.#set(Math.min(this.#estimate, bitsPerSecond));
      return;
    }
    this.#set(Math.max(this.#estimate, bitsPerSecond));
    this.#measureSent(now);
    if (bitsPerSecond >= this.#sentBitrate) this.#grow(this.#sentBitrate, now);
  }

  /** @param loss of what was sent since the last report, 0 to 1 */
  hearLoss(loss: number, now: number): void {
    // Feedback on each packet says it better.
    if (now - this.#feedbackAt < OLD_FEEDBACK_MS) return;
    this.#measureSent(now);
    this.#weighLoss(loss, now);
    if (loss <= MOST_LOSS && this.#maximum === Infinity) this.#grow(this.#sentBitrate, now);
  }

  /** @param ms as its receiver report says, if it does */
  hearRoundTrip(ms: number | undefined, now: number): void {
    if (ms !== undefined && now - this.#feedbackAt >= OLD_FEEDBACK_MS) this.#noteRoundTrip(ms, now);
  }

  /** To be called about once a second. A viewer that reported and reports no more may get nothing any more. */
  tick(now: number): void {
    if (this.#feedbackAt > -Infinity && now - this.#awaitedSince >= SILENCE_MS) this.#set(this.#estimate * 0.7);
  }

  #read({ queue, shrinking, delivered }: PathReading, now: number): void {
    if (this.#capacity !== undefined && delivered > this.#capacity * AROUND[1]) this.#capacity = undefined;
    if (queue <= MOST_QUEUE_MS) {
      this.#calmAt = now;
      this.#calmRate = delivered;
    }
    if (queue < MOST_QUEUE_MS / 2) {
      this.#queueSteps.forget();
      this.#queueSeen = false;
      // Whatever made it fall, this much is carried.
      this.#set(Math.max(this.#estimate, Math.min(delivered, this.#sentBitrate) * SUSTAINED));
      this.#grow(delivered, now);
    } else if (queue > MOST_QUEUE_MS && !shrinking) {
      const isSure = this.#queueSeen || queue > CERTAIN_QUEUE_MS;
      this.#queueSeen = true;
      if (!isSure) return;
      if (this.#queueSteps.futile(this.#sentBitrate, queue)) return this.#path.acceptDelay();
      this.#queueSteps.note(this.#sentBitrate, queue);
      this.#path.ignoreSentBefore(now);
      this.#probing.congested(now);
      this.#fill(delivered, now);
      // The longer the queue the further down, or it would stand for seconds.
      this.#set(Math.min(this.#estimate, delivered * Math.max(0.5, 0.9 - queue / 1_100)));
    }
  }

  #learn({ bitsPerSecond, full }: ProbeResult, now: number): void {
    const carried = full ? bitsPerSecond * SUSTAINED : bitsPerSecond;
    this.#probing.settle(carried > this.#estimate, now);
    if (full) this.#path.ignoreSentBefore(now + DRAINED_MS);
    // What came without a queue was no less: else the viewer was busy.
    if (full && bitsPerSecond > this.#calmRate * AROUND[0]) this.#fill(bitsPerSecond, now);
    else if (this.#capacity !== undefined && bitsPerSecond > this.#capacity * AROUND[1]) this.#capacity = undefined;
    this.#set(Math.max(this.#estimate, carried));
  }

  #weighLoss(latest: number, now: number): void {
    const loss = (latest + this.#lossBefore) / 2;
    this.#lossBefore = latest;
    this.#usualLoss = Math.min(this.#usualLoss, loss);
    if (loss - this.#usualLoss <= MOST_LOSS) return this.#lossSteps.forget();
    if (this.#lossSteps.futile(this.#sentBitrate, loss)) {
      this.#usualLoss = loss;
      return;
    }
    this.#lossSteps.note(this.#sentBitrate, loss);
    this.#fill(this.#sentBitrate * (1 - loss), now);
    this.#set(Math.min(this.#estimate, this.#sentBitrate * (1 - loss / 2)));
  }

  #fill(bitsPerSecond: number, now: number): void {
    this.#capacity = bitsPerSecond;
    this.#capacityAt = now;
  }

  #grow(delivered: number, now: number): void {
    const seconds = Math.min(0.5, Math.max(0, now - this.#grownAt) / 1_000);
    this.#grownAt = now;
    if (now - this.#capacityAt > CAPACITY_KNOWN_MS) this.#capacity = undefined;
    const capacity = this.#capacity ?? Infinity;
    const isAround = this.#estimate > capacity * AROUND[0];
    const grown = this.#estimate * (1 + (isAround ? SLOW_GROWTH : FAST_GROWTH) * seconds);
    const hope = Math.min(HOPE * delivered + HOPE_BITRATE, Math.max(capacity, delivered) * AROUND[1]);
    this.#set(Math.max(this.#estimate, Math.min(grown, hope)));
  }

  #noteRoundTrip(ms: number, now: number): void {
    if (now - this.#roundTripSince > ROUND_TRIP_MS) {
      this.#roundTripBefore = this.#roundTrip;
      this.#roundTrip = ms;
      this.#roundTripSince = now;
    }
    this.#roundTrip = Math.min(this.#roundTrip, ms);
  }

  #measureSent(now: number): void {
    const ms = now - this.#sentAt;
    if (ms < 200) return;
    const bitrate = ((this.#sent.totalBytes - this.#sentBytes) * 8_000) / ms;
    this.#sentBitrate = ms > 2_000 ? bitrate : (this.#sentBitrate + bitrate) / 2;
    this.#sentBytes = this.#sent.totalBytes;
    this.#sentAt = now;
  }

  #set(bitsPerSecond: number): void {
    this.#estimate = Math.min(HIGHEST, Math.max(LOWEST, bitsPerSecond));
  }
}
