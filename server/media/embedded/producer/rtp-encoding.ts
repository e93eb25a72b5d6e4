import type { TrackKind, VideoCodec } from '../../media-engine.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { PacketCache } from '../rtp/packet-cache.js';
import { payloadStart, timestamp } from '../rtp/packet.js';
import { emptyPayloadInfo, type PayloadInfo } from '../rtp/payload-info.js';
import { readPayload } from '../rtp/payload.js';
import type { Format } from '../sdp/codecs.js';
import { KeyframeRequests } from './keyframe-requests.js';
import { LayerStats } from './layer-stats.js';

/**
 * A packet of an encoding, parsed. One object serves many packets, because it is read for every packet and receiver.
 */
export interface MediaPacket {
  /** The source's sequence number, extended: it never wraps. */
  sequence: number;
  timestamp: number;
  packet: Buffer;
  /** Offset of the payload in the packet. */
  payloadAt: number;
  readonly payload: PayloadInfo;
  /** Writes the packet for each receiver. All packets of an encoding share it, so `load` a packet before use. */
  readonly outgoing: OutgoingPacket;
}

/** Receives the packets of an encoding. */
export interface EncodingSink {
  /** When the sink last sent a packet, of any encoding. Undefined: never. */
  readonly lastSentAt: number | undefined;
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

const CACHED_PACKETS = 1024;
/** A new sink gets the newest keyframe and the packets after it if the keyframe is no older than this. */
const MAX_KEYFRAME_AGE_MS = 350;
/** A longer burst would be lost on its way. */
const MAX_BURST_PACKETS = 160;

/**
 * One encoding of a track, unchanged as the source sent it: recent packets for retransmission, and the sinks that
 * receive it. Each sink rewrites sequence numbers, timestamps and payload types for itself.
 */
export class RtpEncoding {
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
  readonly #sendKeyframeRequest: (encoding: RtpEncoding) => void;
  readonly #keyframeRequests = new KeyframeRequests();
  readonly #cache: PacketCache | undefined;
  readonly #outgoing = new OutgoingPacket();
  readonly #media = emptyMediaPacket(this.#outgoing);
  readonly #cachedMedia = emptyMediaPacket(this.#outgoing);
  /** AV1: the layer of the current frame, for packets without a layer of their own. */
  #frameLayer = { timestamp: -1, spatialId: -1, temporalId: -1 };
  #keyframeTimestamp: number | undefined;
  /** The first packet of the newest keyframe, and when it arrived. */
  #newestKeyframe = { sequence: 0, at: -Infinity };
  #newestSequence = 0;
  /** Sinks that receive every packet. The array is replaced, never changed: `deliver` iterates over it. */
  #sinks: EncodingSink[] = [];
  /** Sinks that start with the next keyframe. They could not decode anything before it. */
  readonly #waitingSinks = new Set<EncodingSink>();

  /** @param index 0 is the smallest */
  constructor(
    readonly id: string,
    readonly index: number,
    readonly format: Format,
    sendKeyframeRequest: (encoding: RtpEncoding) => void,
  ) {
    this.#sendKeyframeRequest = sendKeyframeRequest;
    this.kind = format.codec === 'opus' ? 'audio' : 'video';
    // Audio is not retransmitted: a packet sent again arrives after its playout time.
    this.#cache = this.kind === 'video' ? new PacketCache(CACHED_PACKETS) : undefined;
  }

  /**
   * Adds a sink. Audio starts at once; video starts with a keyframe, which is requested unless a recent one is cached.
   */
  addSink(sink: EncodingSink, now: number): void {
    if (this.kind === 'audio') return this.#start([sink]);
    if (sink.lastSentAt === undefined && this.#sendFromKeyframe(sink, now)) return;
    this.#waitingSinks.add(sink);
    this.requestKeyframe(now);
  }

  removeSink(sink: EncodingSink): void {
    this.#waitingSinks.delete(sink);
    if (this.#sinks.includes(sink)) this.#sinks = this.#sinks.filter((other) => other !== sink);
  }

  requestKeyframe(now: number): void {
    this.#keyframeRequests.request();
    this.#sendRequestIfDue(now);
  }

  /** Call every few tens of ms: repeats keyframe requests that were not answered. */
  tick(now: number): void {
    if (this.#waitingSinks.size) this.#keyframeRequests.request();
    this.#sendRequestIfDue(now);
  }

  end(): void {
    for (const sink of [...this.#sinks, ...this.#waitingSinks]) sink.onEnd(this);
    this.#sinks = [];
    this.#waitingSinks.clear();
  }

  /**
   * Forwards a packet to all sinks and keeps it in the cache: its buffer must not change any more.
   * @param packet valid RTP without a header extension
   * @param sequence the source's sequence number, extended
   * @returns how many sinks sent it
   */
  deliver(packet: Buffer, sequence: number, now: number): number {
    this.lastPacketAt = now;
    const media = this.#read(packet, sequence);
    const { payload } = media;
    this.stats.add(packet.length, payload.spatialId, payload.temporalId, payload.sizes, now);
    if (this.kind === 'video' && payload.startsKeyframe) this.#onKeyframe(media, now);
    this.#newestSequence = Math.max(this.#newestSequence, sequence);
    this.#cache?.add(packet);
    if (payload.startsKeyframe && this.#waitingSinks.size) this.#startWaiting();

    this.#outgoing.load(packet);
    let sent = 0;
    const sinks = this.#sinks;
    for (let index = 0; index < sinks.length; index++) if (sinks[index]!.forward(media, now)) sent++;
    this.packetsOut += sent;
    return sent;
  }

  onSenderReport(report: SenderReport, now: number): void {
    this.senderReport = report;
    for (const sink of this.#sinks) sink.sendSenderReport(report, now);
  }

  /**
   * A recent packet, unchanged as the source sent it and not loaded. Valid until the next call.
   * @param sequence the source's sequence number, extended
   */
  cached(sequence: number): MediaPacket | undefined {
    const packet = this.#cache?.find(sequence & 0xffff);
    return packet && this.#parse(packet, sequence, this.#cachedMedia);
  }

  /** @returns false if the newest keyframe is too old, or a packet since then is missing */
  #sendFromKeyframe(sink: EncodingSink, now: number): boolean {
    const { sequence: first, at } = this.#newestKeyframe;
    if (now - at > MAX_KEYFRAME_AGE_MS || this.#newestSequence - first >= MAX_BURST_PACKETS) return false;
    const packets: Buffer[] = [];
    for (let sequence = first; sequence <= this.#newestSequence; sequence++) {
      const packet = this.#cache?.find(sequence & 0xffff);
      if (!packet) return false;
      packets.push(packet);
    }
    this.#start([sink]);
    for (const [index, packet] of packets.entries()) {
      const media = this.#read(packet, first + index);
      this.#outgoing.load(packet);
      if (sink.forward(media, now)) this.packetsOut++;
    }
    return true;
  }

  #read(packet: Buffer, sequence: number): MediaPacket {
    const media = this.#parse(packet, sequence, this.#media);
    if (this.format.codec === 'av1') this.#completeLayer(media);
    return media;
  }

  #parse(packet: Buffer, sequence: number, media: MediaPacket): MediaPacket {
    media.packet = packet;
    media.sequence = sequence;
    media.timestamp = timestamp(packet);
    media.payloadAt = payloadStart(packet);
    if (this.kind === 'video') readPayload(this.format.codec as VideoCodec, packet, media.payload);
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

  #onKeyframe({ timestamp, sequence }: MediaPacket, now: number): void {
    this.#keyframeRequests.onKeyframe();
    // Parameter sets and the picture of one keyframe may both be marked as the start.
    if (timestamp === this.#keyframeTimestamp) return;
    this.keyframeCount++;
    this.#keyframeTimestamp = timestamp;
    this.#newestKeyframe = { sequence, at: now };
  }

  /** Before the first packet no request is sent: the first packet belongs to a keyframe. */
  #sendRequestIfDue(now: number): void {
    if (this.lastPacketAt !== undefined && this.#keyframeRequests.isDue(now)) this.#sendKeyframeRequest(this);
  }

  #startWaiting(): void {
    const sinks = [...this.#waitingSinks];
    this.#waitingSinks.clear();
    this.#start(sinks);
  }

  #start(sinks: readonly EncodingSink[]): void {
    for (const sink of sinks) sink.onStart(this);
    this.#sinks = [...this.#sinks, ...sinks];
  }
}

function emptyMediaPacket(outgoing: OutgoingPacket): MediaPacket {
  return { sequence: 0, timestamp: 0, packet: Buffer.alloc(0), payloadAt: 0, payload: emptyPayloadInfo(), outgoing };
}
