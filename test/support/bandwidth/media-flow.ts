import { BandwidthEstimator } from '../../../server/media/embedded/bandwidth/bandwidth-estimator.js';
import { seededRandom } from '../media/simulated-path.js';
import type { Bottleneck, Flow } from './network-simulation.js';

export interface MediaFlowOptions {
  /** What the sender sends at this estimate, bit/s. Default: the estimate, up to 2.5 Mbit/s. */
  readonly application?: (estimate: number, now: number) => number;
  /** The first estimate, bit/s. */
  readonly start?: number;
  /** The bitrate that is wanted, bit/s, so that probes start. */
  readonly wanted?: number;
  /** See `BandwidthEstimator.probe`. */
  readonly needsProof?: boolean;
  /** One way, in ms, in addition to the bottleneck. */
  readonly delay?: number;
  /** Small packets in addition, as of sound or of the end of a picture. */
  readonly small?: { readonly bytes: number; readonly everyMs: number };
  /** Larger pictures. They are paced as `FramePacer` does: sent within 50 ms. */
  readonly keyframes?: { readonly bytes: number; readonly everyMs: number };
  /** How much faster the receiver's clock runs, in parts per million. */
  readonly drift?: number;
  /** What feedback suffers on its way back, in addition to the propagation delay. */
  readonly feedback?: { readonly loss: number; readonly jitter: number };
}

export interface MediaSample {
  readonly at: number;
  /** bit/s. */
  readonly estimate: number;
  /** What arrived in the last 100 ms, bit/s. */
  readonly arrived: number;
  /** The longest one-way delay of a packet that arrived in the last 100 ms, in ms. */
  readonly journey: number;
}

const SAMPLE_MS = 100;
/** Browsers report about this often. */
const FEEDBACK_MS = 100;
const FRAME_MS = 33;
const PACKET = 1_200;
const PADDING = 600;
const PROBE_TICK_MS = 20;
const KEYFRAME_MS = 50;

/** A viewer: video at 30 frames a second, each frame in one burst, and transport feedback as browsers send it. */
export class MediaFlow implements Flow {
  readonly estimator: BandwidthEstimator;
  readonly samples: MediaSample[] = [];
  readonly #options: MediaFlowOptions;
  #underWay: { readonly sequence: number; readonly sentAt: number; readonly arrival: number }[] = [];
  #feedback: { readonly at: number; readonly firstSequence: number; readonly arrivals: Float64Array }[] = [];
  #count = 0;
  #owed = 0;
  #arrivedBytes = 0;
  #journey = 0;
  #began: number | undefined;
  /** Bytes of a keyframe that are still to be sent, by ms. */
  #keyframe = { left: 0, perMs: 0, due: 0 };
  readonly #random = seededRandom(7);

  constructor(options: MediaFlowOptions = {}) {
    this.#options = options;
    this.estimator = new BandwidthEstimator(options.start);
  }

  step(now: number, network: Bottleneck): void {
    this.#began ??= now;
    const elapsed = now - this.#began;
    const {
      wanted = 0,
      needsProof,
      application = (estimate: number) => Math.min(estimate, 2_500_000),
      small,
      keyframes,
    } = this.#options;
    const { estimator } = this;
    if (elapsed % 1_000 === 0) {
      estimator.tick(now);
      estimator.probe(wanted, now, needsProof);
    }
    if (elapsed % PROBE_TICK_MS === 0) {
      for (let due = estimator.probeBytesDue(now); due > 0; due -= PADDING) this.#send(PADDING, now, network);
    }
    if (keyframes && elapsed > 0 && elapsed % keyframes.everyMs === 0) {
      this.estimator.onLargeFrame(now);
      this.#keyframe = { left: keyframes.bytes, perMs: keyframes.bytes / KEYFRAME_MS, due: 0 };
    }
    this.#sendKeyframe(now, network);
    if (elapsed % FRAME_MS === 0) this.#owed += (application(estimator.bitsPerSecond, now) * FRAME_MS) / 8_000;
    for (; this.#owed >= PACKET; this.#owed -= PACKET) this.#send(PACKET, now, network);
    if (small && elapsed % small.everyMs === 0) this.#send(small.bytes, now, network);
    if (elapsed % FEEDBACK_MS === 0) this.#report(now, network);
    estimator.isVideoSent = application(estimator.bitsPerSecond, now) > 0;
    for (; this.#feedback[0] && this.#feedback[0].at <= now; this.#feedback.shift()) {
      estimator.onTransportFeedback({ ...this.#feedback[0], count: this.#count++ & 0xff }, now);
    }
    if (elapsed % SAMPLE_MS === 0) this.#sample(now);
  }

  #sendKeyframe(now: number, network: Bottleneck): void {
    const keyframe = this.#keyframe;
    if (keyframe.left <= 0) return;
    for (keyframe.due += keyframe.perMs; keyframe.due >= PACKET && keyframe.left > 0; keyframe.due -= PACKET) {
      this.#send(PACKET, now, network);
      keyframe.left -= PACKET;
    }
  }

  #send(bytes: number, now: number, network: Bottleneck): void {
    const sequence = this.estimator.onPacketSent(bytes, now);
    const arrival = network.send(bytes, now) + (this.#options.delay ?? 0);
    if (!Number.isNaN(arrival)) {
      this.#arrivedBytes += bytes;
      this.#journey = Math.max(this.#journey, arrival - now);
    }
    this.#underWay.push({ sequence, sentAt: now, arrival });
  }

  /** The receiver reports what arrived, and as lost what was sent before it. */
  #report(now: number, network: Bottleneck): void {
    const last = this.#underWay.findLastIndex(({ arrival }) => arrival <= now);
    if (last < 0) return;
    const reported = this.#underWay.splice(0, last + 1);
    const { drift = 0, delay = 0, feedback = { loss: 0, jitter: 0 } } = this.#options;
    const arrivals = Float64Array.from(reported, ({ arrival }) => arrival * (1 + drift / 1e6) + 77_777);
    if (this.#random() < feedback.loss) return;
    const earliest = this.#feedback.at(-1)?.at ?? 0;
    const at = Math.max(earliest, now + network.conditions.delay + delay + feedback.jitter * this.#random());
    this.#feedback.push({ at, firstSequence: reported[0]!.sequence, arrivals });
  }

  #sample(at: number): void {
    const arrived = (this.#arrivedBytes * 8_000) / SAMPLE_MS;
    this.samples.push({ at, estimate: this.estimator.bitsPerSecond, arrived, journey: this.#journey });
    this.#arrivedBytes = this.#journey = 0;
  }
}
