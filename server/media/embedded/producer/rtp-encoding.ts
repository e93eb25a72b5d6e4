import type { TrackKind } from '../../engine/media-track.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import type { Format } from '../../sdp/codecs.js';
import type { PacingState } from './frame-pacer.js';
import { FrameShedder } from './frame-shedder.js';
import { KeptPictures } from './kept-pictures.js';
import type { KeyframeAuthority, KeyframeNeed, KeyframeUrgency } from './keyframe-authority.js';
import { LayerStats } from './layer-stats.js';
import { emptyMediaPacket, PLAYER_BURST, type MediaPacket, type StartBurst } from './media-packet.js';
import { PacketFanOut, type FanOutSink } from './packet-fan-out.js';
import { PacketReader } from './packet-reader.js';
import { RecentPackets } from './recent-packets.js';
import type { Shed } from './shedding.js';

/** Receives the packets of an encoding. */
export interface EncodingSink extends FanOutSink {
  /** It takes packets as fast as they come, unchanged: another process. Default: a player. */
  readonly isRelay?: true;
  /** When the sink last sent a packet, of any encoding. Undefined: never. */
  readonly lastSentAt: number | undefined;
  /** Default: `PLAYER_BURST`. */
  readonly burst?: StartBurst;
  /** Called before the first packet of the encoding. */
  onStart(encoding: RtpEncoding): void;
  /** The encoding ended. */
  onEnd(encoding: RtpEncoding): void;
  /** Requests for keyframes are in vain: from now on the encoding keeps what comes since the last one. */
  onGroupKept?(): void;
}

/** How a packet came. */
export interface PacketArrival {
  /** See `MediaPacket`. Default: now. */
  readonly arrivedAt?: number | undefined;
  /** What is too late now. */
  readonly shed: Shed;
}

/** Requests to a publisher of whom nothing arrives say nothing. */
const ARRIVES_WITHIN_MS = 500;
const ON_TIME: PacketArrival = { shed: 'nothing' };

/** How an encoding asks for keyframes. */
export interface KeyframeRequests {
  /** Of the source. */
  readonly authority: KeyframeAuthority;
  send(encoding: RtpEncoding, urgency: KeyframeUrgency): void;
}

export interface RtpEncodingOptions {
  /** The source cannot be asked for keyframes. */
  readonly keepsGroup?: boolean | undefined;
  /** Packets are held: call `pace` at the end of the turn, and until nothing is. Absent: no packet is held. */
  readonly onHeld?: ((encoding: RtpEncoding) => void) | undefined;
  /** A frame of video or a packet of sound was shed. */
  readonly onShed?: ((kind: TrackKind) => void) | undefined;
}

/**
 * One encoding of a track, unchanged as the source sent it: recent packets for retransmission, and the sinks that
 * receive it. Each sink rewrites sequence numbers, timestamps and payload types for itself.
 */
export class RtpEncoding {
  /** Its place in the offer. */
  readonly index: number;
  /** Its place among the source's encodings by quality: 0 is the smallest. */
  rank: number;
  readonly format: Format;
  readonly kind: TrackKind;
  readonly stats = new LayerStats();
  /** When the last packet arrived. Undefined: none did. */
  lastPacketAt: number | undefined;
  /** Whether packets arrive, compared with the source's other encodings. */
  active = false;
  /** Frames of the source's other encodings since the last frame of this encoding. */
  missedFrames = 0;
  /** The last sender report: it maps RTP timestamps to wall-clock time. */
  senderReport: SenderReport | undefined;
  keyframeCount = 0;
  readonly #keyframes: KeyframeRequests;
  readonly #reader: PacketReader;
  readonly #recent: RecentPackets;
  readonly #fanOut: PacketFanOut<EncodingSink>;
  /** For packets that are read again. */
  readonly #media = emptyMediaPacket(new OutgoingPacket());
  readonly #cachedMedia = emptyMediaPacket(new OutgoingPacket());
  #newestTimestamp = 0;
  #keyframeTimestamp: number | undefined;
  /** Of a source that cannot be asked for keyframes, or is asked in vain. */
  #kept: KeptPictures<EncodingSink> | undefined;
  /** Whether the source agreed to requests. */
  readonly #isAskable: boolean;
  readonly #shedder: FrameShedder;
  readonly #onShed: () => void;
  /** Sinks that start with the next keyframe. They could not decode anything before it. */
  readonly #waitingSinks = new Set<EncodingSink>();

  constructor(
    index: number,
    format: Format,
    keyframes: KeyframeRequests,
    { keepsGroup = false, onHeld, onShed = () => {} }: RtpEncodingOptions = {},
  ) {
    this.index = index;
    this.rank = index;
    this.format = format;
    this.#keyframes = keyframes;
    this.#onShed = () => onShed(this.kind);
    this.#shedder = new FrameShedder(this.#onShed);
    this.kind = format.codec === 'opus' ? 'audio' : 'video';
    this.#reader = new PacketReader(format);
    this.#recent = new RecentPackets(this.kind);
    // Sound is sent at once.
    this.#fanOut = new PacketFanOut(this.#reader, onHeld && this.kind === 'video' ? () => onHeld(this) : undefined);
    this.#isAskable = !keepsGroup;
    if (keepsGroup) this.keepGroup();
  }

  /** As clients know it, who choose by quality. */
  get id(): string {
    return String(this.rank);
  }

  /** Keeps what comes since the last keyframe, from the next one on: viewers who join start with it. */
  keepGroup(): void {
    if (this.kind === 'audio' || this.#kept) return;
    this.#kept = new KeptPictures();
    for (const sink of [...this.#fanOut.sinks, ...this.#waitingSinks]) sink.onGroupKept?.();
  }

  /** Whether the source agreed to requests for keyframes, and does not answer them. */
  get isAskedInVain(): boolean {
    return this.#isAskable && this.#kept !== undefined;
  }

  /**
   * Adds a sink. Audio starts at once; video starts with a keyframe, which is requested unless a recent one is cached, or
   * all since the last one is kept. Whoever sees another encoding of the source waits for a keyframe.
   */
  addSink(sink: EncodingSink, now: number, reason: 'join' | 'upgrade' = 'join'): void {
    if (this.kind === 'audio') return this.#start([sink]);
    if (reason === 'join' && this.#kept?.hasKeyframe) {
      this.#startWithKept(sink, this.#kept, now);
      // A source that answers after all has the better picture.
      if (this.#isAskable) this.requestKeyframe({ by: sink, reason }, now);
      return;
    }
    if (sink.lastSentAt === undefined && this.#sendFromKeyframe(sink, now)) return;
    this.#awaitKeyframe(sink, reason, now);
  }

  /** What arrived until now is sent to the sink. */
  removeSink(sink: EncodingSink): void {
    this.#fanOut.remove(sink);
    this.#waitingSinks.delete(sink);
    this.#kept?.remove(sink);
    if (this.kind === 'video') this.#keyframes.authority.withdraw(this.index, sink);
  }

  /** How many packets were sent to sinks. */
  get packetsOut(): number {
    return this.#fanOut.packetsOut;
  }

  requestKeyframe(need: KeyframeNeed, now: number): void {
    this.#keyframes.authority.request(this.index, need, now);
    this.#sendRequestIfDue(now);
  }

  /** Whether anybody receives it, or waits for its next keyframe. */
  get isWanted(): boolean {
    return this.#fanOut.sinks.length > 0 || this.#waitingSinks.size > 0 || (this.#kept?.sinkCount ?? 0) > 0;
  }

  /** Whether spatial layers can be left out: every packet names its layer. Not known of AV1 without descriptors. */
  get hasSelectableSpatialLayers(): boolean {
    return this.#reader.hasSelectableSpatialLayers;
  }

  /** Whether the source sends this layer, as far as it says so. */
  isLayerActive(spatialId: number, temporalId: number): boolean {
    return this.#reader.isLayerActive(spatialId, temporalId);
  }

  /** Whether this is a better encoding of the same source, and the other one still arrives. */
  isUpgradeOf(other: RtpEncoding | undefined): boolean {
    if (!other?.active || other.#keyframes.authority !== this.#keyframes.authority) return false;
    return this.rank > other.rank;
  }

  /** Call every few tens of ms: sends keyframe requests that are due now, and repeats those without an answer. */
  tick(now: number): void {
    if (this.#kept?.sinkCount) this.#advance(this.#kept, now);
    if (this.kind === 'video') this.#sendRequestIfDue(now);
  }

  end(): void {
    this.#fanOut.flush();
    const sinks = new Set([...this.#fanOut.sinks, ...this.#waitingSinks, ...(this.#kept?.clear() ?? [])]);
    for (const sink of sinks) {
      sink.onEnd(this);
      this.#fanOut.remove(sink);
    }
    this.#waitingSinks.clear();
  }

  /** Learns the size of its pictures from a packet before that is delivered. */
  learnSize(packet: Buffer, sequence: number): void {
    this.stats.addSizes(this.#reader.read(packet, sequence, this.#cachedMedia).payload.sizes);
  }

  /**
   * Forwards a packet to all sinks and keeps it in the cache: its buffer must not change any more.
   * @param packet valid RTP with no header extensions but kept ones
   * @param sequence the source's sequence number, extended
   */
  deliver(packet: Buffer, sequence: number, now: number, { arrivedAt = now, shed }: PacketArrival = ON_TIME): void {
    this.lastPacketAt = now;
    const media = this.#reader.readArriving(packet, sequence, now, this.#fanOut.next());
    const { payload } = media;
    this.#newestTimestamp = media.timestamp;
    media.arrivedAt = arrivedAt;
    this.stats.add(packet.length, payload.spatialId, payload.temporalId, payload.sizes, now);
    if (payload.startsKeyframe) this.#onKeyframe(media, now);
    const isKeyframe = media.timestamp === this.#keyframeTimestamp;
    if (isKeyframe) this.#keyframes.authority.addKeyframeBytes(this.index, packet.length);
    if (this.#recent.add(packet, sequence)) this.senderReport = undefined;
    if (this.#kept) for (const sink of this.#kept.add(packet, sequence)) this.#awaitKeyframe(sink, 'join', now);
    media.isShed = this.#sheds(media, shed, now);
    if (payload.startsKeyframe && this.#waitingSinks.size) this.#startWaiting(media);
    this.#fanOut.send(media, isKeyframe ? this.stats.bitrate : undefined, now);
  }

  /** Sends what arrived in this turn, and what is due of a held frame. Call every few ms, as the result says. */
  pace(now: number): PacingState {
    return this.#fanOut.pace(now);
  }

  onSenderReport(report: SenderReport, now: number): void {
    this.senderReport = report;
    this.#fanOut.sendSenderReport(report, now);
  }

  /**
   * A recent packet as this sink received it, not loaded. Valid until the next call.
   * @param sequence the source's sequence number, extended
   */
  cached(sequence: number, sink: EncodingSink): MediaPacket | undefined {
    const packet = this.#recent.find(sequence) ?? this.#kept?.find(sequence);
    if (!packet || this.#recent.isTooOld(packet, this.#newestTimestamp)) return undefined;
    const media = this.#reader.read(packet, sequence, this.#cachedMedia);
    if (this.#kept) media.timestamp = this.#kept.timestampOf(sink, sequence, media.timestamp);
    return media;
  }

  /** Whether sinks receive more than what arrives, so that ticks must be frequent. */
  get isCatchingUp(): boolean {
    return this.#kept?.isBusy ?? false;
  }

  #sheds(media: MediaPacket, shed: Shed, now: number): boolean {
    if (this.kind === 'audio') {
      if (shed === 'sound') this.#onShed();
      return shed === 'sound';
    }
    const isShed = this.#shedder.sheds(media, shed);
    if (this.#shedder.needsKeyframe && this.#hasPlayers)
      this.requestKeyframe({ by: this.#shedder, reason: 'join' }, now);
    return isShed;
  }

  #awaitKeyframe(sink: EncodingSink, reason: 'join' | 'upgrade', now: number): void {
    this.#waitingSinks.add(sink);
    this.requestKeyframe({ by: sink, reason }, now);
  }

  #startWithKept(sink: EncodingSink, kept: KeptPictures<EncodingSink>, now: number): void {
    if (sink.isRelay) {
      this.#start([sink]);
      for (const sequence of kept.sequences()) this.#sendKept(sink, kept, sequence, now);
      return;
    }
    sink.onStart(this);
    kept.join(sink, now);
    this.#advance(kept, now);
  }

  #advance(kept: KeptPictures<EncodingSink>, now: number): void {
    this.#fanOut.flush();
    const caughtUp = kept.advance(now, (sink, sequence) => this.#sendKept(sink, kept, sequence, now));
    this.#fanOut.add(caughtUp);
    kept.forgetBefore(this.#recent.oldest);
  }

  #sendKept(sink: EncodingSink, kept: KeptPictures<EncodingSink>, sequence: number, now: number): void {
    const packet = kept.find(sequence);
    if (!packet) return;
    const media = this.#reader.readArriving(packet, sequence, now, this.#media);
    media.timestamp = kept.timestampOf(sink, sequence, media.timestamp);
    this.#fanOut.sendTo(sink, media, now);
  }

  /** @returns false if the newest keyframe is too old, or a packet since then is missing */
  #sendFromKeyframe(sink: EncodingSink, now: number): boolean {
    const start = this.#recent.sinceKeyframe(sink.burst ?? PLAYER_BURST, now);
    if (!start) return false;
    this.#start([sink]);
    for (const [index, packet] of start.packets.entries()) {
      const media = this.#reader.readArriving(packet, start.first + index, now, this.#media);
      this.#fanOut.sendTo(sink, media, now);
    }
    return true;
  }

  #onKeyframe({ timestamp, sequence }: MediaPacket, now: number): void {
    const { authority } = this.#keyframes;
    // Parameter sets and the picture of one keyframe may both be marked as the start.
    if (timestamp === this.#keyframeTimestamp) return authority.onServed(this.index);
    authority.onKeyframe(this.index, now);
    this.keyframeCount++;
    this.#keyframeTimestamp = timestamp;
    this.#recent.beginKeyframe(sequence, now);
    if (this.#kept) this.#start(this.#kept.begin(sequence));
  }

  /** Before the first packet no request is sent: the first packet belongs to a keyframe. */
  #sendRequestIfDue(now: number): void {
    if (this.lastPacketAt === undefined) return;
    const { authority } = this.#keyframes;
    const urgency = authority.take(this.index, now);
    if (!urgency) return;
    if (authority.isInVain(this.index) && now - this.lastPacketAt < ARRIVES_WITHIN_MS) this.keepGroup();
    this.#keyframes.send(this, urgency);
  }

  /** Relays get what is shed, too. */
  get #hasPlayers(): boolean {
    return [...this.#fanOut.sinks, ...this.#waitingSinks].some(({ isRelay }) => !isRelay);
  }

  #startWaiting({ isShed }: MediaPacket): void {
    const sinks = [...this.#waitingSinks].filter(({ isRelay }) => !isShed || isRelay);
    for (const sink of sinks) this.#waitingSinks.delete(sink);
    this.#start(sinks);
  }

  #start(sinks: readonly EncodingSink[]): void {
    this.#fanOut.flush();
    for (const sink of sinks) sink.onStart(this);
    this.#fanOut.add(sinks);
  }
}
