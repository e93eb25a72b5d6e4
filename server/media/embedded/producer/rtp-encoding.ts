import type { TrackKind, VideoCodec } from '../../media-engine.js';
import { KeyframeRequests } from './keyframe-requests.js';
import { LayerStats } from './layer-stats.js';
import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { PacketCache } from '../rtp/packet-cache.js';
import { payloadStart, timestamp } from '../rtp/packet.js';
import { emptyPayloadInfo, readPayload, type PayloadInfo } from '../rtp/payload.js';
import type { SenderReport } from '../rtcp/rtcp.js';
import type { Format } from '../sdp/codecs.js';

/** A packet on its way to the outlets. One object serves all packets of an encoding. */
export interface MediaPacket {
  /** As the source numbers, extended: it never wraps. */
  sequence: number;
  timestamp: number;
  packet: Buffer;
  /** Where the payload begins in it. */
  payloadAt: number;
  readonly payload: PayloadInfo;
}

/** Whom an encoding is sent to. */
export interface EncodingSink {
  /** When it was sent something last, of any encoding. Undefined: nothing yet. */
  readonly lastSentAt: number | undefined;
  /** The next packet of the encoding is the first that comes. */
  onStart(encoding: RtpEncoding): void;
  /** Sends a packet, and says whether it did. */
  forward(media: MediaPacket, now: number): boolean;
  sendSenderReport(report: SenderReport, now: number): void;
  /** The encoding ended. */
  onEnd(encoding: RtpEncoding): void;
}

const CACHED_PACKETS = 1024;
/** Whoever comes this soon after a keyframe is sent it, and what followed: a picture at once, and hardly a later one. */
const FRESH_MS = 350;
/** More at once would not get through. */
const MOST_CAUGHT_UP = 160;
/** Every outlet of the process writes its header in front of the same copy of the payload. */
export const outgoing = new OutgoingPacket();

/**
 * One encoding of one kind of a source: what comes of it, kept for a while to be sent again, and the outlets that it
 * is sent to. It stays as the source made it: numbers, times and payload types are each outlet's own.
 */
export class RtpEncoding {
  readonly kind: TrackKind;
  readonly stats = new LayerStats();
  /** When a packet came last. Undefined: none did. */
  lastPacketAt: number | undefined;
  /** Whether it comes, as far as the source's other encodings tell. */
  active = false;
  /** How many frames of the source's other encodings came since its own last one. */
  missedFrames = 0;
  /** How the source's wall clock and this encoding's media clock go together. */
  senderReport: SenderReport | undefined;
  packetsOut = 0;
  keyframeCount = 0;
  readonly #askForKeyframe: (encoding: RtpEncoding) => void;
  readonly #keyframes = new KeyframeRequests();
  readonly #cache: PacketCache | undefined;
  readonly #media: MediaPacket = {
    sequence: 0,
    timestamp: 0,
    packet: Buffer.alloc(0),
    payloadAt: 0,
    payload: emptyPayloadInfo(),
  };
  /** Of frames that go on in a packet that does not name its layer. */
  #layerOf = { timestamp: -1, spatialId: -1, temporalId: -1 };
  #keyframeTimestamp: number | undefined;
  /** Where the newest keyframe begins, and when it came. */
  #beginning = { sequence: 0, at: -Infinity };
  #newest = 0;
  /** Those who are sent every packet. */
  #flowing: EncodingSink[] = [];
  /** Those who are from the next keyframe on. What comes before would only show as garbage. */
  readonly #awaiting = new Set<EncodingSink>();

  /** @param index 0 is the smallest */
  constructor(
    readonly id: string,
    readonly index: number,
    readonly format: Format,
    askForKeyframe: (encoding: RtpEncoding) => void,
  ) {
    this.#askForKeyframe = askForKeyframe;
    this.kind = format.codec === 'opus' ? 'audio' : 'video';
    // Audio is not asked for again: by the time it came, its moment would be over.
    this.#cache = this.kind === 'video' ? new PacketCache(CACHED_PACKETS) : undefined;
  }

  /** Sends to this outlet: sound at once, a picture from a keyframe on, which is asked for unless one just came. */
  connect(outlet: EncodingSink, now: number): void {
    if (this.kind === 'audio') return this.#admit([outlet]);
    if (outlet.lastSentAt === undefined && this.#catchUp(outlet, now)) return;
    this.#awaiting.add(outlet);
    this.requestKeyframe(now);
  }

  disconnect(outlet: EncodingSink): void {
    this.#awaiting.delete(outlet);
    if (this.#flowing.includes(outlet)) this.#flowing = this.#flowing.filter((flowing) => flowing !== outlet);
  }

  /** Somebody cannot go on without. */
  requestKeyframe(now: number): void {
    this.#keyframes.request();
    // Before its first packet there is nothing to ask: that one will be a keyframe anyway.
    if (this.lastPacketAt !== undefined && this.#keyframes.isDue(now)) this.#askForKeyframe(this);
  }

  /** To be called every few tens of ms: asks again for what did not come. */
  tick(now: number): void {
    if (this.#awaiting.size) this.#keyframes.request();
    if (this.lastPacketAt !== undefined && this.#keyframes.isDue(now)) this.#askForKeyframe(this);
  }

  /** There will be no more of it. */
  end(): void {
    for (const outlet of [...this.#flowing, ...this.#awaiting]) outlet.onEnd(this);
    this.#flowing = [];
    this.#awaiting.clear();
  }

  /**
   * Sends a packet to everybody, and answers to how many. Keeps it, unchanged.
   * @param packet valid RTP without a header extension
   * @param sequence extended, as the source numbers
   */
  deliver(packet: Buffer, sequence: number, now: number): number {
    this.lastPacketAt = now;
    const media = this.#read(packet, sequence);
    const { payload } = media;
    this.stats.add(packet.length, payload.spatialId, payload.temporalId, payload.sizes, now);
    if (this.kind === 'video' && payload.startsKeyframe) this.#noteKeyframe(media, now);
    this.#newest = Math.max(this.#newest, sequence);
    this.#cache?.add(packet);
    if (payload.startsKeyframe && this.#awaiting.size) this.#admitAwaiting();

    outgoing.load(packet);
    let sent = 0;
    const outlets = this.#flowing;
    for (let index = 0; index < outlets.length; index++) if (outlets[index]!.forward(media, now)) sent++;
    this.packetsOut += sent;
    return sent;
  }

  /** Tells everybody how the source's wall clock and its media clock go together. */
  onSenderReport(report: SenderReport, now: number): void {
    this.senderReport = report;
    for (const outlet of this.#flowing) outlet.sendSenderReport(report, now);
  }

  /** The packet of the source with this number, as it came, while it is known. */
  cachedPacket(sequence: number): Buffer | undefined {
    return this.#cache?.find(sequence & 0xffff);
  }

  /** Sends what came since the newest keyframe. False: that is too long ago, or a part of it is missing. */
  #catchUp(outlet: EncodingSink, now: number): boolean {
    const { sequence: first, at } = this.#beginning;
    if (now - at > FRESH_MS || this.#newest - first >= MOST_CAUGHT_UP) return false;
    const packets: Buffer[] = [];
    for (let sequence = first; sequence <= this.#newest; sequence++) {
      const packet = this.cachedPacket(sequence);
      if (!packet) return false;
      packets.push(packet);
    }
    this.#admit([outlet]);
    for (const [index, packet] of packets.entries()) {
      const media = this.#read(packet, first + index);
      outgoing.load(packet);
      if (outlet.forward(media, now)) this.packetsOut++;
    }
    return true;
  }

  #read(packet: Buffer, sequence: number): MediaPacket {
    const media = this.#media;
    media.packet = packet;
    media.sequence = sequence;
    media.timestamp = timestamp(packet);
    media.payloadAt = payloadStart(packet);
    const { payload } = media;
    if (this.kind === 'video') {
      readPayload(this.format.codec as VideoCodec, packet, payload);
      this.#completeLayer(media);
    }
    return media;
  }

  #completeLayer({ timestamp, payload }: MediaPacket): void {
    if (this.format.codec !== 'av1') return;
    const known = this.#layerOf;
    if (payload.spatialId >= 0 || payload.temporalId >= 0) {
      known.timestamp = timestamp;
      known.spatialId = payload.spatialId;
      known.temporalId = payload.temporalId;
    } else if (known.timestamp === timestamp) {
      payload.spatialId = known.spatialId;
      payload.temporalId = known.temporalId;
    }
  }

  #noteKeyframe({ timestamp, sequence }: MediaPacket, now: number): void {
    this.#keyframes.onKeyframe();
    // Parameter sets and picture may both be a beginning, of the same keyframe.
    if (timestamp === this.#keyframeTimestamp) return;
    this.keyframeCount++;
    this.#keyframeTimestamp = timestamp;
    this.#beginning = { sequence, at: now };
  }

  #admitAwaiting(): void {
    const outlets = [...this.#awaiting];
    this.#awaiting.clear();
    this.#admit(outlets);
  }

  #admit(outlets: readonly EncodingSink[]): void {
    for (const outlet of outlets) outlet.onStart(this);
    this.#flowing = [...this.#flowing, ...outlets];
  }
}
