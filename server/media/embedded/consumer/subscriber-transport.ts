import type { NetworkState } from '../../engine/media-figures.js';
import type { TrackKind } from '../../engine/media-track.js';
import { BandwidthEstimator } from '../bandwidth/bandwidth-estimator.js';
import { PlayoutDelayEstimator } from '../bandwidth/playout-delay.js';
import { readRtcp, type RtcpMessage } from '../rtcp/rtcp.js';
import { readTransportFeedback } from '../rtcp/transport-feedback.js';
import { isRtcp } from '../rtp/packet.js';
import type { PacketSink } from '../transport/webrtc-transport.js';
import { DownTrack, type DownTrackParameters, type DownTrackTransport } from './down-track.js';
import { ReachabilityMonitor } from './reachability-monitor.js';
import { ResendBudget } from './resend-budget.js';
import type { SubscriberParameters } from './subscriber-parameters.js';

/** Per viewer and second. Without a limit, a NACK of 1 kB could request 4,000 packets. */
const MAX_RESENDS = 600;
/** Per viewer and second: a feedback message of 24 bytes can cover 4,096 packets. Players send some twenty. */
const MAX_FEEDBACK_MESSAGES = 200;
const RECENTLY_MS = 1_500;

/**
 * The server's end of a viewer's connection: sends the packets of the down tracks, resends what the viewer requests,
 * and estimates the bandwidth from the viewer's reports. It accepts any packet without throwing.
 */
export class SubscriberTransport implements DownTrackTransport {
  #playoutDelay = new PlayoutDelayEstimator();
  readonly #sink: PacketSink;
  /** By SSRC. */
  readonly #downTracks = new Map<number, DownTrack>();
  #bandwidth = new BandwidthEstimator();
  readonly #reachability: ReachabilityMonitor;
  /** Whether the viewer agreed to report what the estimate can use. */
  readonly #hasCongestionFeedback: boolean;
  /** Whether the viewer sends any report that the estimate can use. */
  #hasEstimate: boolean;
  #resendsLeft = MAX_RESENDS;
  /** Of video. Sound is small, and comes first. */
  #resendBudget = new ResendBudget();
  #feedbackMessagesLeft = MAX_FEEDBACK_MESSAGES;
  #resent = 0;
  #failedSends = 0;

  constructor(
    sink: PacketSink,
    { hasCongestionFeedback }: SubscriberParameters,
    onReachable: (reachable: boolean) => void,
  ) {
    this.#sink = sink;
    this.#hasCongestionFeedback = this.#hasEstimate = hasCongestionFeedback;
    this.#reachability = new ReachabilityMonitor(onReachable);
  }

  addDownTrack(parameters: DownTrackParameters): DownTrack {
    const downTrack = new DownTrack(parameters, this);
    this.#downTracks.set(parameters.ssrc, downTrack);
    return downTrack;
  }

  send(packet: Buffer): boolean {
    const isSent = this.#sink.send(packet);
    if (isSent) this.#resendBudget.onSent(packet.length);
    else this.#failedSends++;
    return isSent;
  }

  /** Packets that could not be sent. */
  get failedSends(): number {
    return this.#failedSends;
  }

  /** How many packets were sent again. */
  get resent(): number {
    return this.#resent;
  }

  get networkBitrate(): number {
    return this.availableBitrate ?? Infinity;
  }

  get nextTransportSequence(): number {
    return this.#bandwidth.nextSequence;
  }

  sendMedia(packet: Buffer, isNumbered: boolean, now: number): boolean {
    if (!this.send(packet)) return false;
    if (isNumbered) this.#bandwidth.onPacketSent(packet.length, now);
    else this.#bandwidth.onUnnumberedPacketSent(packet.length);
    return true;
  }

  onLargeFrame(now: number): void {
    this.#bandwidth.onLargeFrame(now);
  }

  /** From the packets that were lost on the way to the viewer. */
  get playoutDelay(): PlayoutDelayEstimator {
    return this.#playoutDelay;
  }

  /** What the viewer's network carries, in bit/s. `undefined`: the viewer sends no reports about it. */
  get availableBitrate(): number | undefined {
    return this.#hasEstimate ? this.#bandwidth.bitsPerSecond : undefined;
  }

  get network(): NetworkState {
    const downTracks = [...this.#downTracks.values()];
    return {
      packets: downTracks.reduce((sum, { packets }) => sum + packets, 0),
      lost: downTracks.reduce((sum, { lost }) => sum + lost, 0),
      roundTripMs: this.#bandwidth.roundTripTime,
    };
  }

  /** Starts a probe for this bitrate, if one is possible now. Then call `probe` while `isProbing`. */
  startProbe(wanted: number, now: number, needsProof = false): void {
    if (this.#paddingTrack) this.#bandwidth.probe(wanted, now, needsProof);
  }

  /** What a probe measured lately of the viewer's network, in bit/s. 0: nothing. */
  provenBitrate(now: number): number {
    return this.#bandwidth.proven(now);
  }

  /** The viewer wants more than before: the pause between probes ends. */
  restartProbes(): void {
    this.#bandwidth.restartProbes();
  }

  isProbing(now: number): boolean {
    return this.#bandwidth.isProbing(now);
  }

  /** Call once after a probe. Its result is known when a later packet arrives: without media, one of padding. */
  endProbe(now: number): void {
    const track = this.#paddingTrack;
    if (track && !track.current) track.sendPadding(1, now);
  }

  /** Sends the padding that the running probe needs. Call every few tens of ms. */
  probe(now: number): void {
    const bytes = this.#bandwidth.probeBytesDue(now);
    if (bytes > 0) this.#paddingTrack?.sendPadding(bytes, now);
  }

  /**
   * The transport opened, for the first time or again. Packets sent before are lost, so the viewer needs keyframes. What
   * was measured before is of another network path.
   */
  onOpen(now: number): void {
    this.#bandwidth = this.#bandwidth.forNewPath();
    this.#playoutDelay = new PlayoutDelayEstimator();
    this.#resendBudget = new ResendBudget();
    this.#hasEstimate = this.#hasCongestionFeedback;
    this.#reachability.onReport(now);
    for (const downTrack of this.#downTracks.values()) downTrack.requestKeyframe('join', now);
  }

  /** @returns how many packets were resent */
  receive(packet: Buffer, now: number): number {
    if (!isRtcp(packet)) return 0;
    this.#reachability.onReport(now);
    let resent = 0;
    for (const message of readRtcp(packet)) resent += this.#onMessage(message, now);
    return resent;
  }

  /** Call once a second. */
  onSecond(now: number): void {
    this.#resendsLeft = MAX_RESENDS;
    this.#feedbackMessagesLeft = MAX_FEEDBACK_MESSAGES;
    this.#bandwidth.tick(now);
    this.#reachability.check(this.#recentlySent(now), now);
  }

  #onMessage(message: RtcpMessage, now: number): number {
    switch (message.type) {
      case 'nack':
        return this.#resend(message.mediaSsrc, message.sequenceNumbers, now);
      case 'keyframe-request':
        this.#downTracks.get(message.mediaSsrc)?.requestKeyframe('repair', now, this.#bandwidth.roundTripTime);
        return 0;
      case 'transport-feedback': {
        if (--this.#feedbackMessagesLeft < 0) return 0;
        const feedback = readTransportFeedback(message.packet);
        this.#bandwidth.isVideoSent = this.#sendsVideo;
        if (feedback) this.#bandwidth.onTransportFeedback(feedback, now);
        return 0;
      }
      case 'remb':
        this.#hasEstimate = true;
        this.#bandwidth.onRemb(message.bitsPerSecond, now);
        return 0;
      case 'receiver-report':
        for (const report of message.reports) {
          const downTrack = this.#downTracks.get(report.ssrc);
          downTrack?.onReport(report);
          if (downTrack?.parameters.kind !== 'video') continue;
          this.#hasEstimate = true;
          this.#bandwidth.isVideoSent = this.#sendsVideo;
          this.#bandwidth.onLossReport(report.fractionLost / 256, now);
          this.#bandwidth.onRoundTripTime(downTrack.roundTripTime(report, now), now);
        }
        return 0;
      default:
        return 0;
    }
  }

  #resend(ssrc: number, sequenceNumbers: readonly number[], now: number): number {
    const downTrack = this.#downTracks.get(ssrc);
    if (!downTrack) return 0;
    const isVideo = downTrack.parameters.kind === 'video';
    const { roundTripTime, latestRoundTripTime } = this.#bandwidth;
    const most = Math.min(this.#resendsLeft, isVideo ? this.#resendablePackets(now) : Infinity);
    const resent = downTrack.resend(sequenceNumbers, { most, roundTripMs: latestRoundTripTime }, now);
    this.#resendsLeft -= resent;
    this.#resent += resent;
    if (!isVideo) return resent;
    this.#resendBudget.onResent(resent);
    // Players delay sound by themselves until what is late arrives.
    if (resent && roundTripTime !== undefined) this.#playoutDelay.onLatePacket(roundTripTime, now);
    return resent;
  }

  #resendablePackets(now: number): number {
    const { availableBitrate } = this;
    return availableBitrate === undefined ? Infinity : this.#resendBudget.packets(availableBitrate, now);
  }

  get #paddingTrack(): DownTrack | undefined {
    for (const downTrack of this.#downTracks.values()) if (downTrack.canSendPadding) return downTrack;
    return undefined;
  }

  get #sendsVideo(): boolean {
    for (const { current } of this.#downTracks.values()) if (current?.kind === 'video') return true;
    return false;
  }

  #recentlySent(now: number): TrackKind | 'nothing' {
    let sent: TrackKind | 'nothing' = 'nothing';
    for (const { lastSentAt = -Infinity, parameters } of this.#downTracks.values()) {
      if (now - lastSentAt >= RECENTLY_MS) continue;
      if (parameters.kind === 'video') return 'video';
      sent = 'audio';
    }
    return sent;
  }
}
