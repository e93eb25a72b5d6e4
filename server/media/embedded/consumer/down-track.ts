import type { TrackKind } from '../../engine/media-track.js';
import type { MediaPacket } from '../producer/media-packet.js';
import type { EncodingSink, RtpEncoding } from '../producer/rtp-encoding.js';
import { compactNtp, senderReport, type ReportBlock, type SenderReport } from '../rtcp/rtcp.js';
import type { ExtensionBlock } from '../rtp/extension-block.js';
import { LayerFilter, type LayerLimit } from '../rtp/layer-filter.js';
import { OutgoingPacket } from '../rtp/outgoing-packet.js';
import { setPayloadType } from '../rtp/packet.js';
import { RetransmissionStream } from '../rtp/retransmission.js';
import { SentPackets } from '../rtp/sent-packets.js';
import { clockRate, matchFormat, type Format } from '../../sdp/codecs.js';
import { AudioRedundancy } from './audio-redundancy.js';
import { ResendHistory } from './resend-history.js';
import { RtpRewriter } from './rtp-rewriter.js';

/** Sends the packets of all down tracks of one subscriber. */
export interface DownTrackTransport {
  /** What the network carries, in bit/s. Infinity: unknown. */
  readonly networkBitrate: number;
  /** What the next numbered packet carries. `sendMedia` takes the number only if the packet could be sent. */
  readonly nextTransportSequence: number;
  /**
   * Copies the packet, and counts it for the bandwidth estimate.
   * @param isNumbered whether it carries `nextTransportSequence`
   * @returns false: it could not be sent
   */
  sendMedia(packet: Buffer, isNumbered: boolean, now: number): boolean;
  /** A frame begins that is much larger than others. */
  onLargeFrame(now: number): void;
  /** Copies the packet, which does not count for the estimate. False: it could not be sent. */
  send(packet: Buffer): boolean;
}

/** How packets may be resent. */
export interface ResendLimits {
  /** How many at once. */
  readonly most: number;
  /** As it is now, with the queues of the path. Undefined: unknown. */
  readonly roundTripMs: number | undefined;
}

/** What offer and answer agreed on for an m-line that sends. */
export interface DownTrackParameters {
  readonly mid: string;
  readonly kind: TrackKind;
  /** The formats of the answer, with the viewer's payload types. */
  readonly formats: readonly Format[];
  /** The payload type of redundancy for audio (RFC 2198), if there is one. */
  readonly redundancy: number | undefined;
  /** The RTX payload type (RFC 4588) by media payload type. Without one, packets are resent unchanged. */
  readonly retransmissions: Readonly<Record<number, number>>;
  readonly ssrc: number;
  readonly retransmissionSsrc: number | undefined;
  /** Players synchronise tracks with the same CNAME. */
  readonly cname: string;
  readonly extensions: ExtensionBlock | undefined;
}

const MARKER = 0x80;
/** To send them again unchanged. Older sound comes after its playout time: 32 packets are about half a second. */
const REMEMBERED_PACKETS: Readonly<Record<TrackKind, number>> = { audio: 32, video: 1024 };
/** Packets at once: a probe lasts for tens of ms. */
const MAX_PADDING_PACKETS = 64;

/**
 * The outgoing RTP of one m-line. It keeps one SSRC, and sequence numbers, timestamps and picture ids without a
 * break, whatever encoding or source it sends.
 */
export class DownTrack implements EncodingSink {
  readonly parameters: DownTrackParameters;
  readonly #transport: DownTrackTransport;
  readonly #retransmission: RetransmissionStream | undefined;
  /** Whether the packets of this m-line have transport-wide sequence numbers: other m-lines may have none. */
  readonly #isNumbered: boolean;
  /** Without RTX and without redundancy. */
  #sentPackets: SentPackets | undefined;
  readonly #resends = new ResendHistory();
  readonly #rewriter: RtpRewriter;
  readonly #filter: LayerFilter;
  readonly #redundancy: AudioRedundancy | undefined;
  #current: RtpEncoding | undefined;
  /** Replaces the current encoding with its next keyframe. */
  #next: RtpEncoding | undefined;
  /** The current encoding's format, as the viewer numbers it. */
  #format: Format | undefined;
  /** Whether a packet of the current encoding was received, so that the rewriter is set to it. */
  #started = false;
  #packets = 0;
  #bytes = 0;
  #lost = 0;
  /** The last sender report as receivers name it (LSR), and when it was sent. */
  #lastSenderReport = { compactNtp: 0, at: 0 };

  constructor(parameters: DownTrackParameters, transport: DownTrackTransport) {
    this.parameters = parameters;
    this.#transport = transport;
    this.#rewriter = new RtpRewriter(parameters.ssrc, clockRate(parameters.kind));
    this.#isNumbered = parameters.extensions?.hasTransportSequence ?? false;
    this.#filter = new LayerFilter(this.readsDescriptors);
    const { retransmissionSsrc, redundancy, formats } = parameters;
    const find = (sequence: number) => this.#current?.cached(sequence, this)?.packet;
    this.#redundancy =
      redundancy === undefined || !formats[0]
        ? undefined
        : new AudioRedundancy({ format: formats[0].payloadType, find });
    this.#retransmission = retransmissionSsrc === undefined ? undefined : new RetransmissionStream(retransmissionSsrc);
  }

  /** The encoding that is sent. */
  get current(): RtpEncoding | undefined {
    return this.#current;
  }

  /** How many packets were sent, without those that were sent again. */
  get packets(): number {
    return this.#packets;
  }

  /** How many of them the viewer missed, by its newest report. */
  get lost(): number {
    return this.#lost;
  }

  /** The viewer's report on this track. */
  onReport({ packetsLost, highestSequence }: ReportBlock): void {
    this.#redundancy?.onReport(this.#rewriter.extend(highestSequence & 0xffff), packetsLost);
    // A viewer that receives packets twice may report less than nothing.
    this.#lost = Math.max(this.#lost, packetsLost);
  }

  /** Sound is never delayed. */
  get networkBitrate(): number | undefined {
    return this.parameters.kind === 'video' ? this.#transport.networkBitrate : undefined;
  }

  onLargeFrame(now: number): void {
    this.#transport.onLargeFrame(now);
  }

  /** How many times as many bits as the source sends the viewer gets, by redundancy. */
  get redundancyFactor(): number {
    return 1 + (this.#redundancy?.depth ?? 0);
  }

  get lastSentAt(): number | undefined {
    return this.#rewriter.lastSentAt;
  }

  /** Whether the viewer gets dependency descriptors: without them it gets only the lowest spatial layer of AV1. */
  get readsDescriptors(): boolean {
    return this.parameters.extensions?.passesDescriptors ?? false;
  }

  /** Whether the viewer offered a format that can decode this one. */
  accepts(format: Format): boolean {
    return matchFormat(this.parameters.formats, format) !== undefined;
  }

  /**
   * Switches to an encoding with its next keyframe; the current one is sent until then. `undefined`: sends nothing.
   * @param isAwaited a person waits for it
   */
  setEncoding(encoding: RtpEncoding | undefined, now: number, isAwaited = false): void {
    const wanted = encoding && this.accepts(encoding.format) ? encoding : undefined;
    if (wanted === (this.#next ?? this.#current)) return;
    this.#next?.removeSink(this);
    this.#next = undefined;
    if (wanted === this.#current) return;
    if (!wanted) {
      this.#current?.removeSink(this);
      this.#current = undefined;
      return;
    }
    this.#next = wanted;
    wanted.addSink(this, now, !isAwaited && wanted.isUpgradeOf(this.#current) ? 'upgrade' : 'join');
  }

  /** Sends layers of the current encoding up to this limit, from the next picture on that allows the change. */
  limitLayers(limit: LayerLimit, now: number): void {
    this.#filter.limit(limit);
    if (this.#filter.needsKeyframe) this.#current?.requestKeyframe({ by: this, reason: 'upgrade' }, now);
  }

  /**
   * The viewer needs a keyframe to decode any further. One of the next encoding serves as well, if there is one: that
   * encoding may have been waiting for a keyframe of others.
   * @param reason `join`: nothing that was sent before arrives
   */
  requestKeyframe(reason: 'join' | 'repair', now: number, roundTripMs?: number): void {
    (this.#next ?? this.#current)?.requestKeyframe({ by: this, reason, roundTripMs }, now);
  }

  onStart(encoding: RtpEncoding): void {
    const before = this.#current;
    // It may send packets that it still holds.
    before?.removeSink(this);
    this.#rewriter.endEncoding(before?.senderReport);
    this.#current = encoding;
    this.#next = undefined;
    this.#format = matchFormat(this.parameters.formats, encoding.format);
    this.#started = false;
  }

  onEnd(encoding: RtpEncoding): void {
    if (this.#next === encoding) this.#next = undefined;
    if (this.#current === encoding) this.#current = undefined;
  }

  /** Sends a packet of the current encoding unless it is shed, or the layer filter drops it. */
  forward(media: MediaPacket, now: number): boolean {
    if (!this.#started) this.#start(media, now);
    else if (this.#rewriter.isDiscontinuity(media)) this.#resume(media, now);
    const { payload } = media;
    if (media.isShed || this.#filter.drops(payload)) return this.#drop(media);
    const sequence = this.#rewriter.sequenceOf(media);
    if (sequence === undefined) return false;
    const { extensions } = this.parameters;
    extensions?.pass(media.packet, this.#rewriter.frameNumberOf(media));
    extensions?.stamp(this.#transport.nextTransportSequence, now);
    const redundant = this.#redundancy?.packetFor(media, sequence);
    const bytes = redundant?.length ?? media.packet.length;
    const packet = (redundant ?? media.outgoing).written(extensions);
    if (!this.#rewriter.write(packet, sequence, media)) return false;
    if (redundant) setPayloadType(packet, this.parameters.redundancy!);
    if (this.#filter.endsPicture(payload)) packet[1]! |= MARKER;
    this.#rewriter.onSent(sequence, media, now);
    this.#packets++;
    this.#bytes += bytes - media.payloadAt;
    this.#sentPackets?.add(sequence, packet, media.packet, media.payloadAt);
    return this.#transport.sendMedia(packet, this.#isNumbered, now);
  }

  sendSenderReport(report: SenderReport, now: number): void {
    if (!this.#started) return;
    this.#lastSenderReport = { compactNtp: compactNtp(report), at: now };
    const rtpTimestamp = this.#rewriter.timestampOf(report.rtpTimestamp);
    const sent = { ...report, rtpTimestamp, packets: this.#packets, bytes: this.#bytes };
    this.#transport.send(senderReport(this.parameters.ssrc, sent, this.parameters.cname));
  }

  /** The round-trip time in ms by a report block (RFC 3550 section 6.4.1). `undefined`: the report does not contain it. */
  roundTripTime({ lastSenderReport, delaySinceLastSenderReport }: ReportBlock, now: number): number | undefined {
    if (lastSenderReport === 0 || lastSenderReport !== this.#lastSenderReport.compactNtp) return undefined;
    return Math.max(0, now - this.#lastSenderReport.at - (delaySinceLastSenderReport * 1_000) / 65_536);
  }

  /**
   * Resends these packets, as far as they are cached and not under way, by themselves or in the next packet.
   * @returns how many are resent
   */
  resend(sequenceNumbers: readonly number[], { most, roundTripMs }: ResendLimits, now: number): number {
    if (this.#redundancy) {
      const missing = sequenceNumbers.slice(0, most).map((sequenceNumber) => this.#rewriter.extend(sequenceNumber));
      return this.#redundancy.request(missing, (sequence) => this.#rewriter.originalOf(sequence));
    }
    let sent = 0;
    for (const sequenceNumber of sequenceNumbers) {
      if (sent >= most) break;
      const sequence = this.#rewriter.extend(sequenceNumber);
      if (this.#resends.isUnderWay(sequence, now, roundTripMs) || !this.#resendOne(sequence, now)) continue;
      this.#resends.add(sequence, now);
      sent++;
    }
    return sent;
  }

  /**
   * Resends the latest packets as padding, if the viewer accepts RTX: players discard a packet on the RTX SSRC that
   * they already have. While no encoding is sent, the packets are empty but for RTP padding.
   * @returns bytes sent; 0 if there is nothing to send
   */
  sendPadding(bytes: number, now: number): number {
    const { newestSequence } = this.#rewriter;
    if (newestSequence === undefined || !this.canSendPadding) return 0;
    let sent = 0;
    for (let back = 0; back < MAX_PADDING_PACKETS && sent < bytes; back++) {
      sent += this.#current ? this.#resendOne(newestSequence - back, now) : this.#sendEmpty(now);
    }
    return sent;
  }

  /** Whether padding can be sent on this m-line, and the viewer reports on every packet. */
  get canSendPadding(): boolean {
    return this.#rtxPayloadType !== undefined && this.#isNumbered;
  }

  get #rtxPayloadType(): number | undefined {
    return this.#retransmission && this.#format && this.parameters.retransmissions[this.#format.payloadType];
  }

  /** @returns bytes sent */
  #resendOne(sequence: number, now: number): number {
    const unchanged = this.#sentPackets?.find(sequence);
    if (unchanged) return this.#transport.send(unchanged) ? unchanged.length : 0;
    const rtx = this.#rtxPayloadType;
    if (!this.#started || rtx === undefined) return 0;
    const original = this.#rewriter.originalOf(sequence);
    const media = original === undefined ? undefined : this.#current?.cached(original, this);
    if (!media) return 0;
    const copy = Buffer.from(media.packet);
    if (!this.#rewriter.write(copy, sequence, media)) return 0;
    if (this.#filter.endsPicture(media.payload)) copy[1]! |= MARKER;
    const resent = this.#retransmission!.wrap(copy, rtx);
    const { extensions } = this.parameters;
    extensions?.pass(media.packet, this.#rewriter.frameNumberOf(media));
    extensions?.stamp(this.#transport.nextTransportSequence, now);
    media.outgoing.load(resent);
    return this.#transport.sendMedia(media.outgoing.written(extensions), this.#isNumbered, now) ? resent.length : 0;
  }

  /** @returns bytes sent */
  #sendEmpty(now: number): number {
    const rtx = this.#rtxPayloadType;
    if (rtx === undefined) return 0;
    const empty = this.#retransmission!.padding(rtx, this.#rewriter.newestTimestamp);
    const { extensions } = this.parameters;
    extensions?.passNothing();
    extensions?.stamp(this.#transport.nextTransportSequence, now);
    const outgoing = new OutgoingPacket();
    outgoing.load(empty);
    return this.#transport.sendMedia(outgoing.written(extensions), this.#isNumbered, now) ? empty.length : 0;
  }

  #drop(media: MediaPacket): boolean {
    if (this.#rewriter.drop(media)) return false;
    // The packet was lost before and arrived late, so the viewer waits for its sequence number: send an empty packet.
    const sequence = this.#rewriter.sequenceOf(media);
    if (sequence === undefined) return false;
    const empty = Buffer.alloc(12);
    empty[0] = 0x80;
    this.#rewriter.writeHeader(empty, sequence, media);
    return this.#transport.send(empty);
  }

  #resume(media: MediaPacket, now: number): void {
    this.#rewriter.resumeEncoding(media, now);
    this.#redundancy?.start(media.sequence);
  }

  #start(media: MediaPacket, now: number): void {
    const senderReport = this.#current?.senderReport;
    this.#started = true;
    if (this.#rtxPayloadType === undefined && !this.#redundancy) {
      this.#sentPackets ??= new SentPackets(REMEMBERED_PACKETS[this.parameters.kind]);
    }
    if (this.#format) this.#rewriter.startEncoding(media, this.#format, senderReport, now);
    this.#redundancy?.start(media.sequence);
    this.#filter.reset();
    // Sent at once, so that audio and video are in sync from the first frame on.
    if (senderReport) this.sendSenderReport(senderReport, now);
  }
}
