import type { TrackKind } from '../../media-engine.js';
import { BandwidthEstimator } from '../bandwidth/bandwidth-estimator.js';
import { PlayoutDelayEstimator } from '../bandwidth/playout-delay.js';
import { DownTrack, type DownTrackTransport, type DownTrackParameters } from './down-track.js';
import { ReachabilityMonitor } from './reachability-monitor.js';
import { isRtcp } from '../rtp/packet.js';
import { readRtcp, type RtcpMessage } from '../rtcp/rtcp.js';
import { readTransportFeedback } from '../rtcp/transport-feedback.js';
import type { PacketSink } from '../transport/webrtc-transport.js';
import type { SubscriberParameters } from './subscriber-parameters.js';

/** Per viewer and second: a NACK of 1 kB can ask for 4,000 packets, and whoever writes it pays for none. */
const MOST_RESENDS = 600;
/** Likewise: a report of 24 bytes can tell of 4,096 packets that did not come. Players report some twenty times. */
const MOST_FEEDBACKS = 200;
const RECENTLY_MS = 1_500;

/**
 * A viewer at the other end of a transport: what its outlets send is counted, what it asks for again is sent again, and
 * what it says of how they arrive is believed within limits. Whatever arrives, it never throws.
 */
export class SubscriberTransport implements DownTrackTransport {
  /** How late packets come that were lost on their way to the viewer. */
  readonly playoutDelay = new PlayoutDelayEstimator();
  readonly #sink: PacketSink;
  readonly #outlets = new Map<number, DownTrack>();
  readonly #estimate = new BandwidthEstimator();
  readonly #reach: ReachabilityMonitor;
  /** Whether the viewer reports on packets by their numbers. */
  readonly #isNumbered: boolean;
  /** Whether the viewer says anything that the estimate goes by. */
  #estimated: boolean;
  #resendsLeft = MOST_RESENDS;
  #feedbacksLeft = MOST_FEEDBACKS;

  constructor(
    sink: PacketSink,
    { lines, tellsCongestion }: SubscriberParameters,
    onReachable: (reachable: boolean) => void,
  ) {
    this.#sink = sink;
    this.#isNumbered = lines.some(({ extensions }) => extensions?.hasTransportSequence);
    this.#estimated = tellsCongestion;
    this.#reach = new ReachabilityMonitor(onReachable);
  }

  addDownTrack(terms: DownTrackParameters): DownTrack {
    const outlet = new DownTrack(terms, this);
    this.#outlets.set(terms.ssrc, outlet);
    return outlet;
  }

  send(packet: Buffer): boolean {
    return this.#sink.send(packet);
  }

  registerPacket(bytes: number, now: number): number {
    return this.#isNumbered ? this.#estimate.onPacketSent(bytes, now) : this.#estimate.onUnnumberedPacketSent(bytes);
  }

  /** What the viewer's network carries, as it seems by now, in bit/s. `undefined`: the viewer does not tell. */
  get availableBitrate(): number | undefined {
    return this.#estimated ? this.#estimate.bitsPerSecond : undefined;
  }

  /** There would be use for this many bit/s: if it can be learnt now whether they are carried, `probe` does. */
  startProbe(wanted: number, now: number): void {
    if (this.#filling) this.#estimate.probe(wanted, now);
  }

  /** Whether `probe` is to be called. */
  isProbing(now: number): boolean {
    return this.#estimate.isProbing(now);
  }

  /** Sends more than there is, to learn whether its network carries something better. */
  probe(now: number): void {
    const owed = this.#estimate.probeBytesDue(now);
    if (owed > 0) this.#filling?.sendPadding(owed, now);
  }

  /** The transport opened: what was sent before is lost, so what the viewer sees begins anew. */
  onOpen(now: number): void {
    this.#reach.onReport(now);
    for (const outlet of this.#outlets.values()) outlet.wantKeyframe(now);
  }

  /** Acts on what the viewer says, and answers how many packets were sent again. */
  receive(packet: Buffer, now: number): number {
    if (!isRtcp(packet)) return 0;
    this.#reach.onReport(now);
    let resent = 0;
    for (const message of readRtcp(packet)) resent += this.#hear(message, now);
    return resent;
  }

  /** To be called once a second. */
  onSecond(now: number): void {
    this.#resendsLeft = MOST_RESENDS;
    this.#feedbacksLeft = MOST_FEEDBACKS;
    this.#estimate.tick(now);
    this.#reach.check(this.#sentLately(now), now);
  }

  #hear(message: RtcpMessage, now: number): number {
    switch (message.type) {
      case 'nack':
        return this.#resend(message.mediaSsrc, message.sequenceNumbers, now);
      case 'keyframe-request':
        this.#outlets.get(message.mediaSsrc)?.wantKeyframe(now);
        return 0;
      case 'transport-feedback': {
        if (--this.#feedbacksLeft < 0) return 0;
        const feedback = readTransportFeedback(message.packet);
        if (feedback) this.#estimate.onTransportFeedback(feedback, now);
        return 0;
      }
      case 'maximum-bitrate':
        this.#estimated = true;
        this.#estimate.onRemb(message.bitsPerSecond, now);
        return 0;
      case 'receiver-report':
        for (const report of message.reports) {
          const outlet = this.#outlets.get(report.ssrc);
          if (outlet?.parameters.kind !== 'video') continue;
          this.#estimated = true;
          this.#estimate.onLossReport(report.fractionLost / 256, now);
          this.#estimate.onRoundTripTime(outlet.roundTripTime(report, now), now);
        }
        return 0;
      default:
        return 0;
    }
  }

  #resend(ssrc: number, sequenceNumbers: readonly number[], now: number): number {
    const resent = this.#outlets.get(ssrc)?.resend(sequenceNumbers, this.#resendsLeft, now) ?? 0;
    this.#resendsLeft -= resent;
    const { roundTripTime } = this.#estimate;
    if (resent && roundTripTime !== undefined) this.playoutDelay.onLatePacket(roundTripTime, now);
    return resent;
  }

  get #filling(): DownTrack | undefined {
    for (const outlet of this.#outlets.values()) if (outlet.canSendPadding) return outlet;
    return undefined;
  }

  #sentLately(now: number): TrackKind | 'nothing' {
    let sent: TrackKind | 'nothing' = 'nothing';
    for (const { lastSentAt = -Infinity, parameters } of this.#outlets.values()) {
      if (now - lastSentAt >= RECENTLY_MS) continue;
      if (parameters.kind === 'video') return 'video';
      sent = 'audio';
    }
    return sent;
  }
}
