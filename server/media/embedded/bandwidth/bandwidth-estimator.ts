import type { TransportFeedback } from '../rtcp/transport-feedback.js';
import { BandwidthProber, type ProbeResult } from './bandwidth-prober.js';
import { DelayBasedEstimator, type DelayEstimate } from './delay-based-estimator.js';
import { LossBasedEstimator, MAX_NORMAL_LOSS } from './loss-based-estimator.js';
import { QueueAssessment } from './queue-assessment.js';
import { RateControl } from './rate-control.js';
import { RoundTripTime } from './round-trip-time.js';
import { SentPacketHistory } from './sent-packet-history.js';

/** Most networks carry a good picture. A low start would show a poor picture to everyone first. */
const START_BITRATE = 2_000_000;
/** The part of a measured capacity that can be sent without a growing queue. */
const SUSTAINABLE_PART = 0.9;
/** If less than this part of the bitrate before arrives in a probe, the receiver was busy. */
const MIN_PROBE_PART = 0.8;
/** The queue of a probe drains within this time. */
const DRAIN_MS = 300;
/** No probe starts later than this after a packet arrived without a queue: there may be one since. */
const MAX_CALM_AGE_MS = 600;
/** After this time without a packet there is no queue of this viewer's packets. Probes are further apart. */
const IDLE_MS = 450;
/** The queue of a large frame drains within this time, on a path that carries the video. */
const LARGE_FRAME_MS = 500;
/** Frames that are large more often are congestion. */
const LARGE_FRAME_INTERVAL_MS = 2_000;
/** Without video, what arrives is no measure of what the path carries: a queue lowers the estimate to this part of itself. */
const DECREASE_WITHOUT_VIDEO = 0.85;
const FEEDBACK_TIMEOUT_MS = 1_000;
/** After this time without transport feedback, receiver reports are used instead. */
const OLD_FEEDBACK_MS = 5_000;

/**
 * Estimates what a viewer's network carries, in bit/s for one transport. It uses transport-wide feedback if the viewer
 * sends it, which shows a queue before packets are lost; else the viewer's own estimate (REMB) and receiver reports.
 *
 * The structure is that of GCC (draft-ietf-rmcat-gcc-02): delay and loss are judged separately, either lowers the estimate
 * to a part of what arrives, and it grows while neither shows congestion. Decision 30 names and measures the differences.
 *
 *     extensions.stamp(estimator.nextSequence, now);
 *     if (send(packet)) estimator.onPacketSent(packet.length, now);      // each packet with the number
 *     else …                                                             // the next packet has the number
 *     estimator.onTransportFeedback(feedback, now);
 *     estimator.onRemb(bitsPerSecond, now);
 *     estimator.onLossReport(report.fractionLost / 256, now);            // each report block of video
 *     estimator.onRoundTripTime(downTrack.roundTripTime(report, now), now);
 *     estimator.tick(now);                                               // once a second
 *     available = estimator.bitsPerSecond;
 *     if (estimator.probe(bitrate, now)) …                               // about once a second, if more is wanted
 *     bytes = estimator.probeBytesDue(now);                              // every few tens of ms: padding to send
 */
export class BandwidthEstimator {
  /** Set it before each report. Sound alone hardly causes congestion, and cannot end it by sending less. */
  isVideoSent = true;
  readonly #rate: RateControl;
  readonly #sent: SentPacketHistory;
  readonly #delay = new DelayBasedEstimator();
  readonly #loss = new LossBasedEstimator();
  readonly #roundTripTime = new RoundTripTime();
  readonly #prober = new BandwidthProber();
  /** When a packet last arrived without a queue. */
  #calmAt = -Infinity;
  /** The bitrate that arrived then, in bit/s. */
  #calmBitrate = 0;
  readonly #queues = new QueueAssessment();
  #feedbackAt = -Infinity;
  /** When the first packet was sent since the last feedback. */
  #awaitingFeedbackSince = Infinity;
  /** When a packet with a transport-wide number was last sent. Infinity: none was. */
  #sentAt = Infinity;
  #largeFrameAt = -Infinity;
  #remb = Infinity;
  /** What was last asked to be probed, bit/s. */
  #wanted = { bitrate: 0, needsProof: false };

  constructor(start = START_BITRATE, firstSequence = 0) {
    this.#rate = new RateControl(start);
    this.#sent = new SentPacketHistory(firstSequence);
  }

  /**
   * An estimator for a new network path of the same transport. It knows nothing of the old path. The sequence numbers
   * continue, because the receiver may not know of the change; reports about packets of the old path are ignored.
   */
  forNewPath(): BandwidthEstimator {
    return new BandwidthEstimator(START_BITRATE, this.#sent.next);
  }

  get bitsPerSecond(): number {
    return Math.round(this.#rate.bitsPerSecond);
  }

  /**
   * The shortest of the last seconds, in ms, including the time until the viewer reports. `undefined`: there was no
   * report yet.
   */
  get roundTripTime(): number | undefined {
    return this.#roundTripTime.shortest;
  }

  /** As it is now, with the queues of the path. */
  get latestRoundTripTime(): number | undefined {
    return this.#roundTripTime.latest;
  }

  /** The transport-wide sequence number of the next packet that has one. */
  get nextSequence(): number {
    return this.#sent.next;
  }

  /**
   * A packet with the next sequence number was sent. A number of a packet that was not sent would be reported as lost.
   * @returns its transport-wide sequence number
   */
  onPacketSent(bytes: number, now: number): number {
    if (this.#awaitingFeedbackSince === Infinity) this.#awaitingFeedbackSince = now;
    this.#sentAt = now;
    this.#prober.onPacketSent(bytes, now);
    return this.#sent.add(bytes, now);
  }

  /** A frame begins that is much larger than others, such as a keyframe. The queue that it causes is no congestion. */
  onLargeFrame(now: number): void {
    if (now - this.#largeFrameAt < LARGE_FRAME_INTERVAL_MS) return;
    this.#largeFrameAt = now;
    this.#delay.ignoreSentBefore(now + LARGE_FRAME_MS);
  }

  /** Counts a packet without transport-wide sequence number. */
  onUnnumberedPacketSent(bytes: number): void {
    this.#sent.countUnnumbered(bytes);
  }

  /**
   * Starts a probe, if one is possible now, to find out whether this bitrate is carried. While `isProbing`,
   * `probeBytesDue` returns how much padding to send.
   * @param needsProof whether to probe even if the estimate is as high: without video, it grows by itself
   * @returns whether a probe started
   */
  probe(wanted: number, now: number, needsProof = false): boolean {
    this.#wanted = { bitrate: wanted, needsProof };
    return this.#startProbe(Math.min(this.#rate.bitsPerSecond, this.#calmBitrate), now);
  }

  /** What a probe measured lately, in bit/s. 0: nothing. */
  proven(now: number): number {
    return this.#prober.proven(now);
  }

  /** The viewer wants more than before: the pause between probes ends. */
  restartProbes(): void {
    this.#prober.restart();
  }

  /** @param proven the bitrate that is known to be carried */
  #startProbe(proven: number, now: number): boolean {
    const { bitrate: wanted, needsProof } = this.#wanted;
    const known = needsProof ? this.#prober.proven(now) : this.#rate.bitsPerSecond;
    if (wanted <= known) return false;
    // What was sent long ago has left the queue.
    const isCalm = now - this.#calmAt <= MAX_CALM_AGE_MS || now - this.#sentAt > IDLE_MS;
    if (!isCalm) return false;
    const ends = this.#prober.start(wanted, proven, now);
    if (ends === undefined) return false;
    // The probe's own queue is no congestion.
    this.#delay.ignoreSentBefore(ends);
    return true;
  }

  isProbing(now: number): boolean {
    return this.#prober.isRunning(now);
  }

  probeBytesDue(now: number): number {
    return this.#prober.bytesDue(now);
  }

  onTransportFeedback({ firstSequence, arrivals }: TransportFeedback, now: number): void {
    this.#feedbackAt = now;
    this.#awaitingFeedbackSince = Infinity;
    this.#sent.measure(now);
    let newestSentAt = NaN;
    let reported = 0;
    let lost = 0;
    for (let index = 0; index < arrivals.length; index++) {
      const sequence = (firstSequence + index) & 0xffff;
      const bytes = this.#sent.bytes(sequence);
      if (bytes === 0) continue;
      const sentAt = this.#sent.sentAt(sequence);
      // Loss within a probe shows in the probe's result.
      const countsAsLoss = !this.#prober.includes(sentAt);
      if (countsAsLoss) reported++;
      const arrival = arrivals[index]!;
      if (Number.isNaN(arrival)) {
        if (countsAsLoss) lost++;
        continue;
      }
      this.#sent.acknowledge(sequence);
      newestSentAt = sentAt;
      const result = this.#prober.onPacketArrived(sentAt, arrival, bytes);
      if (result) this.#onProbeResult(result, now);
      const estimate = this.#delay.onPacketArrived(sentAt, arrival, bytes);
      if (estimate) this.#onDelayEstimate(estimate, now);
    }
    if (!Number.isNaN(newestSentAt)) this.#roundTripTime.addSample(now - newestSentAt, now);
    const loss = this.#loss.addPackets(reported, lost, now);
    if (loss !== undefined) this.#onLoss(loss, now);
  }

  /**
   * The viewer's own estimate. It grows only as more arrives, so it is no limit while little is sent, or more only
   * since a moment. Only a decrease is a sign of congestion.
   */
  onRemb(bitsPerSecond: number, now: number): void {
    const falls = bitsPerSecond < this.#remb * 0.97;
    this.#remb = bitsPerSecond;
    if (falls) {
      if (bitsPerSecond < this.#rate.bitsPerSecond) this.#rate.onCapacityMeasured(bitsPerSecond, now);
      this.#rate.lower(bitsPerSecond);
      return;
    }
    this.#rate.raise(bitsPerSecond);
    this.#sent.measure(now);
    if (bitsPerSecond >= this.#sent.bitrate) this.#rate.grow(this.#sent.bitrate, now);
  }

  /** @param loss of the packets since the last report, 0 to 1 */
  onLossReport(loss: number, now: number): void {
    // Transport feedback is more precise.
    if (now - this.#feedbackAt < OLD_FEEDBACK_MS) return;
    this.#sent.measure(now);
    this.#onLoss(loss, now);
    if (loss <= MAX_NORMAL_LOSS && this.#remb === Infinity) this.#rate.grow(this.#sent.bitrate, now);
  }

  /** @param ms by a receiver report; undefined: the report does not contain it */
  onRoundTripTime(ms: number | undefined, now: number): void {
    if (ms !== undefined && now - this.#feedbackAt >= OLD_FEEDBACK_MS) this.#roundTripTime.addSample(ms, now);
  }

  /** Call about once a second. If a viewer's feedback stops, packets may not arrive any more: the estimate falls. */
  tick(now: number): void {
    const isSilent = this.#feedbackAt > -Infinity && now - this.#awaitingFeedbackSince >= FEEDBACK_TIMEOUT_MS;
    if (isSilent) this.#rate.lower(this.#rate.bitsPerSecond * 0.7);
  }

  #onDelayEstimate(estimate: DelayEstimate, now: number): void {
    const { queue, delivered } = estimate;
    this.#rate.onDelivered(delivered);
    const reducible = this.isVideoSent ? this.#sent.bitrate : undefined;
    const meaning = this.#queues.assess(estimate, { estimate: this.#rate.bitsPerSecond, reducible });
    if (meaning === 'none' || meaning === 'short') {
      this.#calmAt = now;
      this.#calmBitrate = delivered;
    }
    if (meaning === 'none') {
      // This much is carried, whatever lowered the estimate.
      this.#rate.raise(Math.min(delivered, this.#sent.bitrate) * SUSTAINABLE_PART);
      this.#rate.grow(delivered, now);
    } else if (meaning === 'of others') {
      this.#delay.resetBaseline();
    } else if (meaning === 'congestion') {
      this.#delay.ignoreSentBefore(now);
      this.#prober.onCongestion(now);
      this.#onQueue(queue, delivered, now);
    }
  }

  #onQueue(queue: number, delivered: number, now: number): void {
    if (!this.isVideoSent) return this.#rate.lowerUnproven(DECREASE_WITHOUT_VIDEO, now);
    this.#rate.onCapacityMeasured(delivered, now);
    // A longer queue needs a larger reduction, or it would take seconds to drain.
    this.#rate.lower(delivered * Math.max(0.5, 0.9 - queue / 1_100));
  }

  #onProbeResult({ bitsPerSecond, isFull }: ProbeResult, now: number): void {
    const carried = isFull ? bitsPerSecond * SUSTAINABLE_PART : bitsPerSecond;
    const isHigher = carried > this.#rate.bitsPerSecond;
    this.#prober.finish(!isFull ? 'carried' : isHigher ? 'raised' : 'useless', now);
    if (isFull) this.#delay.ignoreSentBefore(now + DRAIN_MS);
    // More than that arrived without a queue before: the receiver was busy, and the capacity is not known.
    if (isFull && bitsPerSecond > this.#calmBitrate * MIN_PROBE_PART) this.#rate.onCapacityMeasured(bitsPerSecond, now);
    else this.#rate.onDelivered(bitsPerSecond);
    this.#rate.raise(carried);
    if (isFull) return;
    this.#calmAt = now;
    this.#startProbe(bitsPerSecond, now);
  }

  #onLoss(latest: number, now: number): void {
    const loss = this.#loss.congestion(latest, this.#sent.bitrate);
    if (loss === undefined) return;
    if (!this.isVideoSent) return this.#rate.lowerUnproven(1 - loss / 2, now);
    this.#rate.onCapacityMeasured(this.#sent.bitrate * (1 - loss), now);
    this.#rate.lower(this.#sent.bitrate * (1 - loss / 2));
  }
}
