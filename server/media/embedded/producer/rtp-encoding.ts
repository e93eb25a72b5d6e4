import type { TrackKind, VideoCodec } from '../../media-engine.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { PacketCache } from '../rtp/packet-cache.js';
import { payloadStart, timestamp } from '../rtp/packet.js';
import { readPayload } from '../rtp/payload.js';
import type { Format } from '../../sdp/codecs.js';
import { DependencyStructures } from './dependency-structures.js';
import { CatchingUpSinks } from './catching-up-sinks.js';
import { GroupOfPictures } from './group-of-pictures.js';
import { FramePacer, type PacedSink, type PacingState } from './frame-pacer.js';
import { FrameShedder } from './frame-shedder.js';
import type { KeyframeAuthority, KeyframeNeed, KeyframeUrgency } from './keyframe-authority.js';
import { LayerStats } from './layer-stats.js';
import { emptyMediaPacket, PLAYER_BURST, type MediaPacket, type StartBurst } from './media-packet.js';
import { PacketBatch } from './packet-batch.js';
import type { Shed } from './shedding.js';

const CACHED_PACKETS = 1024;
/** More than half a second of packets of 10 ms. */
const CACHED_AUDIO_PACKETS = 64;
/** Older sound, in units of its timestamp, comes after its playout time: half a second. */
const MAX_AUDIO_AGE = 24_000;

/** Receives the packets of an encoding. */
export interface EncodingSink extends PacedSink {
  /** It takes packets as fast as they come, unchanged: another process. Default: a player. */
  readonly isRelay?: true;
  /** When the sink last sent a packet, of any encoding. Undefined: never. */
  readonly lastSentAt: number | undefined;
  /** Default: `PLAYER_BURST`. */
  readonly burst?: StartBurst;
  /** Called before the first packet of the encoding. */
  onStart(encoding: RtpEncoding): void;
  /**
   * Sends a packet, which `media.outgoing` has loaded.
   * @returns whether it was sent
   */
  forward(media: MediaPacket, now: number): boolean;
  sendSenderReport(report: SenderReport, now: number): void;
  /** The encoding ended. */
  onEnd(encoding: RtpEncoding): void;
}

/** How a packet came. */
export interface PacketArrival {
  /** See `MediaPacket`. Default: now. */
  readonly arrivedAt?: number | undefined;
  /** What is too late now. */
  readonly shed: Shed;
}

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
  readonly id: string;
  readonly index: number;
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
  packetsOut = 0;
  keyframeCount = 0;
  readonly #keyframes: KeyframeRequests;
  readonly #cache: PacketCache;
  readonly #outgoing = new OutgoingPacket();
  readonly #media = emptyMediaPacket(this.#outgoing);
  readonly #cachedMedia = emptyMediaPacket(this.#outgoing);
  /** AV1 */
  readonly #dependencies: DependencyStructures | undefined;
  /** AV1: the layer of the current frame, for packets without a layer of their own. */
  #frameLayer = { timestamp: -1, spatialId: -1, temporalId: -1 };
  #keyframeTimestamp: number | undefined;
  /** The first packet of the newest keyframe, and when it arrived. */
  #newestKeyframe = { sequence: 0, at: -Infinity };
  #newestSequence = 0;
  /** Sinks that receive every packet. The array is replaced, never changed: `deliver` iterates over it. */
  #sinks: EncodingSink[] = [];
  /** Of a source that cannot be asked for keyframes. */
  readonly #group: GroupOfPictures | undefined;
  readonly #catchingUp: CatchingUpSinks<EncodingSink> | undefined;
  /** Sinks that receive a large frame bit by bit. Undefined: no frame is paced. */
  readonly #pacer: FramePacer<EncodingSink> | undefined;
  /** Packets that arrived in this turn. Sound is sent at once. */
  readonly #batch: PacketBatch | undefined;
  readonly #onHeld: (() => void) | undefined;
  readonly #shedder: FrameShedder;
  readonly #onShed: () => void;
  /** Sinks that start with the next keyframe. They could not decode anything before it. */
  readonly #waitingSinks = new Set<EncodingSink>();

  /** @param index 0 is the smallest */
  constructor(
    id: string,
    index: number,
    format: Format,
    keyframes: KeyframeRequests,
    { keepsGroup = false, onHeld, onShed = () => {} }: RtpEncodingOptions = {},
  ) {
    this.id = id;
    this.index = index;
    this.format = format;
    this.#keyframes = keyframes;
    this.#onShed = () => onShed(this.kind);
    this.#shedder = new FrameShedder(this.#onShed);
    this.kind = format.codec === 'opus' ? 'audio' : 'video';
    this.#cache = new PacketCache(this.kind === 'video' ? CACHED_PACKETS : CACHED_AUDIO_PACKETS);
    this.#dependencies = format.codec === 'av1' ? new DependencyStructures() : undefined;
    this.#onHeld = onHeld && (() => onHeld(this));
    if (onHeld && this.kind === 'video') {
      this.#pacer = new FramePacer();
      this.#batch = new PacketBatch();
    }
    if (this.kind === 'audio' || !keepsGroup) return;
    this.#group = new GroupOfPictures();
    this.#catchingUp = new CatchingUpSinks(this.#group);
  }

  /**
   * Adds a sink. Audio starts at once; video starts with a keyframe, which is requested unless a recent one is cached.
   */
  addSink(sink: EncodingSink, now: number, reason: 'join' | 'upgrade' = 'join'): void {
    if (this.kind === 'audio') return this.#start([sink]);
    if (this.#group?.first !== undefined) return this.#startWithGroup(sink, this.#group, now);
    if (sink.lastSentAt === undefined && this.#sendFromKeyframe(sink, now)) return;
    this.#waitingSinks.add(sink);
    this.requestKeyframe({ by: sink, reason }, now);
  }

  /** What arrived until now is sent to the sink. */
  removeSink(sink: EncodingSink): void {
    this.#flush();
    this.#waitingSinks.delete(sink);
    this.#catchingUp?.remove(sink);
    this.#pacer?.remove(sink);
    if (this.kind === 'video') this.#keyframes.authority.withdraw(this.index, sink);
    if (this.#sinks.includes(sink)) this.#sinks = this.#sinks.filter((other) => other !== sink);
  }

  requestKeyframe(need: KeyframeNeed, now: number): void {
    this.#keyframes.authority.request(this.index, need, now);
    this.#sendRequestIfDue(now);
  }

  /** Whether anybody receives it, or waits for its next keyframe. */
  get isWanted(): boolean {
    const isHeld = (this.#catchingUp?.size ?? 0) > 0 || (this.#pacer?.isActive ?? false);
    return this.#sinks.length > 0 || this.#waitingSinks.size > 0 || isHeld;
  }

  /** Whether spatial layers can be left out: every packet names its layer. Not known of AV1 without descriptors. */
  get hasSelectableSpatialLayers(): boolean {
    return this.#dependencies?.isKnown ?? true;
  }

  /** Whether the source sends this layer, as far as it says so. */
  isLayerActive(spatialId: number, temporalId: number): boolean {
    return this.#dependencies?.isActive(spatialId, temporalId) ?? true;
  }

  /** Whether this is a better encoding of the same source, and the other one still arrives. */
  isUpgradeOf(other: RtpEncoding | undefined): boolean {
    if (!other?.active || other.#keyframes.authority !== this.#keyframes.authority) return false;
    return this.index > other.index;
  }

  /** Call every few tens of ms: sends keyframe requests that are due now, and repeats those without an answer. */
  tick(now: number): void {
    if (this.#catchingUp?.size) this.#advance(now);
    if (this.kind === 'video') this.#sendRequestIfDue(now);
  }

  end(): void {
    this.#flush();
    const catchingUp = this.#catchingUp?.clear() ?? [];
    const paced = [...(this.#pacer?.sinks ?? [])];
    for (const sink of new Set([...this.#sinks, ...this.#waitingSinks, ...catchingUp, ...paced])) sink.onEnd(this);
    for (const sink of paced) this.#pacer!.remove(sink);
    this.#sinks = [];
    this.#waitingSinks.clear();
  }

  /**
   * Forwards a packet to all sinks and keeps it in the cache: its buffer must not change any more.
   * @param packet valid RTP with no header extensions but kept ones
   * @param sequence the source's sequence number, extended
   */
  deliver(packet: Buffer, sequence: number, now: number, { arrivedAt = now, shed }: PacketArrival = ON_TIME): void {
    this.lastPacketAt = now;
    const media = this.#read(packet, sequence, now, this.#batch?.next());
    const { payload } = media;
    media.arrivedAt = arrivedAt;
    this.stats.add(packet.length, payload.spatialId, payload.temporalId, payload.sizes, now);
    if (payload.startsKeyframe) this.#onKeyframe(media, now);
    const isKeyframe = media.timestamp === this.#keyframeTimestamp;
    if (isKeyframe) this.#keyframes.authority.addKeyframeBytes(this.index, packet.length);
    if (this.#newestSequence > 0 && sequence - this.#newestSequence > CACHED_PACKETS) this.#onJump();
    this.#newestSequence = Math.max(this.#newestSequence, sequence);
    this.#cache.add(packet);
    this.#group?.add(packet, sequence);
    media.isShed = this.#sheds(media, shed, now);
    if (payload.startsKeyframe && this.#waitingSinks.size) this.#startWaiting(media);

    if (this.#pacer && (isKeyframe || this.#pacer.isActive)) this.#holdIfLarge(media, this.#pacer, isKeyframe, now);
    if (this.#batch) return this.#addToBatch(this.#batch, media, now);
    this.#outgoing.load(packet);
    this.#send([media], [now]);
  }

  /** Sends what arrived in this turn, and what is due of a held frame. Call every few ms, as the result says. */
  pace(now: number): PacingState {
    this.#flush();
    const pacer = this.#pacer;
    if (!pacer?.isActive) return 'idle';
    const caughtUp = pacer.advance(now, ({ packet, sequence, isShed, spatialId, temporalId }, sinks) => {
      const media = this.#parse(packet, sequence, this.#media);
      media.isShed = isShed;
      media.payload.spatialId = spatialId;
      media.payload.temporalId = temporalId;
      this.#outgoing.load(packet);
      for (const sink of sinks) if (pacer.has(sink) && sink.forward(media, now)) this.packetsOut++;
    });
    if (caughtUp.length) this.#sinks = [...this.#sinks, ...caughtUp];
    return pacer.state;
  }

  onSenderReport(report: SenderReport, now: number): void {
    this.senderReport = report;
    for (const sink of this.#sinks) sink.sendSenderReport(report, now);
    if (this.#pacer?.isActive) for (const sink of this.#pacer.sinks) sink.sendSenderReport(report, now);
  }

  /**
   * A recent packet as this sink received it, not loaded. Valid until the next call.
   * @param sequence the source's sequence number, extended
   */
  cached(sequence: number, sink: EncodingSink): MediaPacket | undefined {
    const packet = this.#cache.find(sequence & 0xffff) ?? this.#group?.find(sequence);
    if (!packet || this.#isTooOld(packet)) return undefined;
    const media = this.#parse(packet, sequence, this.#cachedMedia);
    if (this.#catchingUp) media.timestamp = this.#catchingUp.timestampOf(sink, sequence, media.timestamp);
    return media;
  }

  #isTooOld(packet: Buffer): boolean {
    if (this.kind === 'video') return false;
    return ((this.#media.timestamp - timestamp(packet)) | 0) > MAX_AUDIO_AGE;
  }

  /** Whether sinks receive more than what arrives, so that ticks must be frequent. */
  get isCatchingUp(): boolean {
    return this.#catchingUp?.isBusy ?? false;
  }

  #addToBatch(batch: PacketBatch, media: MediaPacket, now: number): void {
    if (batch.add(media, this.#sinks.length, now)) this.#flush();
    else this.#onHeld!();
  }

  /** Call before anything that sends other packets, or changes who receives them. */
  #flush(): void {
    this.#batch?.flush((packets, times) => this.#send(packets, times));
  }

  /** Sends loaded packets to all sinks. @param times when they arrived */
  #send(packets: readonly MediaPacket[], times: readonly number[]): void {
    let sent = 0;
    const sinks = this.#sinks;
    for (let index = 0; index < sinks.length; index++) {
      const sink = sinks[index]!;
      for (let next = 0; next < packets.length; next++) {
        if (sink.forward(packets[next]!, times[next]!)) sent++;
        // It may have what it needs, and leave by itself.
        if (this.#sinks !== sinks && !this.#sinks.includes(sink)) break;
      }
    }
    this.packetsOut += sent;
  }

  /** Holds the packet for the sinks that must not receive a large frame at once. */
  #holdIfLarge(media: MediaPacket, pacer: FramePacer<EncodingSink>, isKeyframe: boolean, now: number): void {
    const isBurst = isKeyframe && pacer.isBurst(media.packet.length, this.stats.bitrate, this.#sinks.length, now);
    if (!pacer.isActive) {
      if (!isBurst) return;
      const paced = this.#sinks.filter(({ networkBitrate }) => networkBitrate !== undefined);
      if (!paced.length) return;
      this.#flush();
      this.#sinks = this.#sinks.filter(({ networkBitrate }) => networkBitrate === undefined);
      pacer.start(paced, now);
      this.#onHeld!();
    }
    const { packet, sequence, isShed } = media;
    const { spatialId, temporalId } = media.payload;
    pacer.add({ packet, sequence, isShed, spatialId, temporalId }, now);
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

  #startWithGroup(sink: EncodingSink, group: GroupOfPictures, now: number): void {
    if (sink.isRelay) {
      this.#start([sink]);
      for (let sequence = group.first!; sequence <= group.last; sequence++) this.#resend(sink, group, sequence, now);
      return;
    }
    sink.onStart(this);
    this.#catchingUp!.add(sink, now);
    this.#advance(now);
  }

  #advance(now: number): void {
    this.#flush();
    const group = this.#group!;
    const caughtUp = this.#catchingUp!.advance(now, (sink, sequence) => this.#resend(sink, group, sequence, now));
    if (caughtUp.length) this.#sinks = [...this.#sinks, ...caughtUp];
    this.#catchingUp!.forgetBefore(this.#newestSequence - CACHED_PACKETS);
  }

  /** Sends a packet of the group to one sink. */
  #resend(sink: EncodingSink, group: GroupOfPictures, sequence: number, now: number): void {
    const packet = group.find(sequence);
    if (!packet) return;
    const media = this.#read(packet, sequence, now);
    if (this.#catchingUp) media.timestamp = this.#catchingUp.timestampOf(sink, sequence, media.timestamp);
    this.#outgoing.load(packet);
    if (sink.forward(media, now)) this.packetsOut++;
  }

  /** @returns false if the newest keyframe is too old, or a packet since then is missing */
  #sendFromKeyframe(sink: EncodingSink, now: number): boolean {
    const { sequence: first, at } = this.#newestKeyframe;
    const { maxAgeMs, maxPackets } = sink.burst ?? PLAYER_BURST;
    if (now - at > maxAgeMs || this.#newestSequence - first >= maxPackets) return false;
    const packets: Buffer[] = [];
    for (let sequence = first; sequence <= this.#newestSequence; sequence++) {
      const packet = this.#cache.find(sequence & 0xffff);
      if (!packet) return false;
      packets.push(packet);
    }
    this.#start([sink]);
    for (const [index, packet] of packets.entries()) {
      const media = this.#read(packet, first + index, now);
      this.#outgoing.load(packet);
      if (sink.forward(media, now)) this.packetsOut++;
    }
    return true;
  }

  #read(packet: Buffer, sequence: number, now: number, into = this.#media): MediaPacket {
    const media = this.#parse(packet, sequence, into);
    media.arrivedAt = now;
    if (this.format.codec === 'av1' && media.payload.frameNumber < 0) this.#completeLayer(media);
    return media;
  }

  #parse(packet: Buffer, sequence: number, media: MediaPacket): MediaPacket {
    media.packet = packet;
    media.isShed = false;
    media.sequence = sequence;
    media.timestamp = timestamp(packet);
    media.payloadAt = payloadStart(packet);
    if (this.kind === 'video') readPayload(this.format.codec as VideoCodec, packet, media.payload);
    this.#dependencies?.read(media);
    return media;
  }

  #completeLayer({ timestamp, payload }: MediaPacket): void {
    const known = this.#frameLayer;
    if (payload.spatialId >= 0 || payload.temporalId >= 0) {
      known.timestamp = timestamp;
      known.spatialId = payload.spatialId;
      known.temporalId = payload.temporalId;
    } else if (known.timestamp === timestamp) {
      payload.spatialId = known.spatialId;
      payload.temporalId = known.temporalId;
    }
  }

  /** The publisher may have restarted, so that nothing from before applies. */
  #onJump(): void {
    // A number of 16 bits may be that of a packet from before.
    this.#cache.clear();
    this.senderReport = undefined;
  }

  #onKeyframe({ timestamp, sequence }: MediaPacket, now: number): void {
    const { authority } = this.#keyframes;
    // Parameter sets and the picture of one keyframe may both be marked as the start.
    if (timestamp === this.#keyframeTimestamp) return authority.onServed(this.index);
    authority.onKeyframe(this.index, now);
    this.keyframeCount++;
    this.#keyframeTimestamp = timestamp;
    this.#newestKeyframe = { sequence, at: now };
    if (!this.#group) return;
    this.#group.begin(sequence);
    this.#start(this.#catchingUp!.takeBehind());
  }

  /** Before the first packet no request is sent: the first packet belongs to a keyframe. */
  #sendRequestIfDue(now: number): void {
    if (this.lastPacketAt === undefined) return;
    const urgency = this.#keyframes.authority.take(this.index, now);
    if (urgency) this.#keyframes.send(this, urgency);
  }

  /** Relays get what is shed, too. */
  get #hasPlayers(): boolean {
    return [...this.#sinks, ...this.#waitingSinks].some(({ isRelay }) => !isRelay);
  }

  #startWaiting({ isShed }: MediaPacket): void {
    const sinks = [...this.#waitingSinks].filter(({ isRelay }) => !isShed || isRelay);
    for (const sink of sinks) this.#waitingSinks.delete(sink);
    this.#start(sinks);
  }

  #start(sinks: readonly EncodingSink[]): void {
    this.#flush();
    for (const sink of sinks) sink.onStart(this);
    this.#sinks = [...this.#sinks, ...sinks];
  }
}
