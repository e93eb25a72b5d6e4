import type { TransportFeedback } from '../rtcp/transport-feedback.js';
import { RateControl } from './rate-control.js';
import { BackoffEffect } from './backoff-effect.js';
import { LossBasedEstimator, MAX_NORMAL_LOSS } from './loss-based-estimator.js';
import { DelayBasedEstimator, type DelayEstimate } from './delay-based-estimator.js';
import { BandwidthProber, type ProbeResult } from './bandwidth-prober.js';
import { RoundTripTime } from './round-trip-time.js';
import { SentPacketHistory } from './sent-packet-history.js';

/** Most networks carry a good picture: who begins low shows everybody a poor one first. */
const START = 2_000_000;
/** A standing queue of this many ms is congestion unless it shrinks; one of less than half of it is none. */
const MOST_QUEUE_MS = 25;
/** One of less than this is believed when it is seen twice: whoever hands packets over may have been busy once. */
const CERTAIN_QUEUE_MS = 100;
/** What a full path was seen to carry, less what keeps a queue from growing in it. */
const SUSTAINED = 0.9;
/** Who gets less of a probe than this part of what came without a queue was busy. */
const BUSY = 0.8;
/** A queue of a probe's own is gone after this. */
const DRAINED_MS = 300;
/** A path that had no queue for longer than this may have one. */
const CALM_MS = 600;
const SILENCE_MS = 1_000;
const OLD_FEEDBACK_MS = 5_000;

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
export class BandwidthEstimator {
  readonly #rate: RateControl;
  readonly #sent = new SentPacketHistory();
  readonly #path = new DelayBasedEstimator();
  readonly #loss = new LossBasedEstimator();
  readonly #roundTrip = new RoundTripTime();
  readonly #probing = new BandwidthProber();
  /** When a packet was last seen to come without a queue. */
  #calmAt = -Infinity;
  /** And what came then, bit/s. */
  #calmRate = 0;
  #queueSeen = false;
  readonly #queueSteps = new BackoffEffect();
  #feedbackAt = -Infinity;
  /** When the first packet was sent since the last feedback. */
  #awaitedSince = Infinity;
  /** What the viewer said last. */
  #maximum = Infinity;

  constructor(start = START) {
    this.#rate = new RateControl(start);
  }

  get bitsPerSecond(): number {
    return Math.round(this.#rate.bitsPerSecond);
  }

  /**
   * The shortest of the last seconds, in ms: to the viewer and back, with what it waits before it reports on packets.
   * `undefined`: it has not reported yet.
   */
  get roundTripTime(): number | undefined {
    return this.#roundTrip.shortest;
  }

  /** Counts a packet that is being sent, and answers its transport-wide sequence number. */
  onPacketSent(bytes: number, now: number): number {
    if (this.#awaitedSince === Infinity) this.#awaitedSince = now;
    this.#probing.onPacketSent(bytes, now);
    return this.#sent.add(bytes, now);
  }

  /** Counts a packet on which there will be no report, and answers 0. */
  onUnnumberedPacketSent(bytes: number): 0 {
    this.#sent.countUnnumbered(bytes);
    return 0;
  }

  /**
   * There would be use for this many bit/s, and no way to learn whether they are carried but to send them for a moment.
   * True: that has begun, and until `isProbing` says no, `owed` says what is to be sent besides.
   */
  probe(wanted: number, now: number): boolean {
    const believed = this.#rate.bitsPerSecond;
    if (wanted <= believed || now - this.#calmAt > CALM_MS) return false;
    const ends = this.#probing.start(wanted, believed, now);
    if (ends === undefined) return false;
    // The queue of a probe's own is no fault of the path.
    this.#path.ignoreSentBefore(ends);
    return true;
  }

  isProbing(now: number): boolean {
    return this.#probing.isRunning(now);
  }

  /** In bytes. */
  probeBytesDue(now: number): number {
    return this.#probing.bytesDue(now);
  }

  onTransportFeedback({ firstSequence, arrivals }: TransportFeedback, now: number): void {
    this.#feedbackAt = now;
    this.#awaitedSince = Infinity;
    this.#sent.measure(now);
    let newest = NaN;
    let reported = 0;
    let lost = 0;
    for (let index = 0; index < arrivals.length; index++) {
      const sequence = (firstSequence + index) & 0xffff;
      const bytes = this.#sent.bytes(sequence);
      if (bytes === 0) continue;
      const sentAt = this.#sent.sentAt(sequence);
      // What a probe loses shows in what comes of it.
      const counts = !this.#probing.includes(sentAt);
      if (counts) reported++;
      const arrival = arrivals[index]!;
      if (Number.isNaN(arrival)) {
        if (counts) lost++;
        continue;
      }
      this.#sent.acknowledge(sequence);
      newest = sentAt;
      const result = this.#probing.onPacketArrived(sentAt, arrival, bytes);
      if (result) this.#learn(result, now);
      const reading = this.#path.onPacketArrived(sentAt, arrival, bytes);
      if (reading) this.#read(reading, now);
    }
    if (!Number.isNaN(newest)) this.#roundTrip.addSample(now - newest, now);
    const loss = this.#loss.addPackets(reported, lost, now);
    if (loss !== undefined) this.#weighLoss(loss, now);
  }

  /**
   * What the viewer thinks. It grows only as more comes, so that what it says while we send little, or have just begun
   * to send more, is no limit: only that it falls is news.
   */
  onRemb(bitsPerSecond: number, now: number): void {
    const falls = bitsPerSecond < this.#maximum * 0.97;
    this.#maximum = bitsPerSecond;
    if (falls) {
      if (bitsPerSecond < this.#rate.bitsPerSecond) this.#rate.onCapacityMeasured(bitsPerSecond, now);
      this.#rate.lower(bitsPerSecond);
      return;
    }
    this.#rate.raise(bitsPerSecond);
    this.#sent.measure(now);
    if (bitsPerSecond >= this.#sent.bitrate) this.#rate.grow(this.#sent.bitrate, now);
  }

  /** @param loss of what was sent since the last report, 0 to 1 */
  onLossReport(loss: number, now: number): void {
    // Feedback on each packet says it better.
    if (now - this.#feedbackAt < OLD_FEEDBACK_MS) return;
    this.#sent.measure(now);
    this.#weighLoss(loss, now);
    if (loss <= MAX_NORMAL_LOSS && this.#maximum === Infinity) this.#rate.grow(this.#sent.bitrate, now);
  }

  /** @param ms as its receiver report says, if it does */
  onRoundTripTime(ms: number | undefined, now: number): void {
    if (ms !== undefined && now - this.#feedbackAt >= OLD_FEEDBACK_MS) this.#roundTrip.addSample(ms, now);
  }

  /** To be called about once a second. A viewer that reported and reports no more may get nothing any more. */
  tick(now: number): void {
    const isSilent = this.#feedbackAt > -Infinity && now - this.#awaitedSince >= SILENCE_MS;
    if (isSilent) this.#rate.lower(this.#rate.bitsPerSecond * 0.7);
  }

  #read({ queue, shrinking, delivered }: DelayEstimate, now: number): void {
    this.#rate.onDelivered(delivered);
    if (queue <= MOST_QUEUE_MS) {
      this.#calmAt = now;
      this.#calmRate = delivered;
    }
    if (queue < MOST_QUEUE_MS / 2) {
      this.#queueSteps.reset();
      this.#queueSeen = false;
      // Whatever made it fall, this much is carried.
      this.#rate.raise(Math.min(delivered, this.#sent.bitrate) * SUSTAINED);
      this.#rate.grow(delivered, now);
    } else if (queue > MOST_QUEUE_MS && !shrinking) {
      const isSure = this.#queueSeen || queue > CERTAIN_QUEUE_MS;
      this.#queueSeen = true;
      if (!isSure) return;
      if (this.#queueSteps.isIneffective(this.#sent.bitrate, queue)) return this.#path.resetBaseline();
      this.#queueSteps.onBackoff(this.#sent.bitrate, queue);
      this.#path.ignoreSentBefore(now);
      this.#probing.onCongestion(now);
      this.#rate.onCapacityMeasured(delivered, now);
      // The longer the queue the further down, or it would stand for seconds.
      this.#rate.lower(delivered * Math.max(0.5, 0.9 - queue / 1_100));
    }
  }

  #learn({ bitsPerSecond, full }: ProbeResult, now: number): void {
    const carried = full ? bitsPerSecond * SUSTAINED : bitsPerSecond;
    this.#probing.finish(carried > this.#rate.bitsPerSecond, now);
    if (full) this.#path.ignoreSentBefore(now + DRAINED_MS);
    // What came without a queue was no less: else the viewer was busy.
    if (full && bitsPerSecond > this.#calmRate * BUSY) this.#rate.onCapacityMeasured(bitsPerSecond, now);
    else this.#rate.onDelivered(bitsPerSecond);
    this.#rate.raise(carried);
  }

  #weighLoss(latest: number, now: number): void {
    const loss = this.#loss.congestion(latest, this.#sent.bitrate);
    if (loss === undefined) return;
    this.#rate.onCapacityMeasured(this.#sent.bitrate * (1 - loss), now);
    this.#rate.lower(this.#sent.bitrate * (1 - loss / 2));
  }
}
