import type { TrackKind, VideoCodec } from '../../media-engine.js';
import { outgoing, type RtpEncoding, type MediaPacket, type EncodingSink } from '../producer/rtp-encoding.js';
import { LayerFilter, type LayerLimit } from './layer-filter.js';
import type { ExtensionBlock } from '../rtp/header-extensions.js';
import { SequenceRewriter } from '../rtp/sequence-rewriter.js';
import {
  payloadStart,
  sequenceDistance,
  setPayloadType,
  setSequenceNumber,
  setSsrc,
  setTimestamp,
  timestamp,
} from '../rtp/packet.js';
import { emptyPayloadInfo, readPayload } from '../rtp/payload.js';
import { PictureIdRewriter } from '../rtp/picture-id-rewriter.js';
import { RetransmissionStream } from '../rtp/retransmission.js';
import { compactNtp, senderReport, type ReportBlock, type SenderReport } from '../rtcp/rtcp.js';
import { TimestampRewriter } from '../rtp/timestamp-rewriter.js';
import { clockRate, matchFormat, type Format } from '../sdp/codecs.js';

/** Where an outlet's packets go: the viewer that it is of. */
export interface DownTrackTransport {
  /** Counts a packet among those that the viewer's network is judged by, and answers its transport-wide number. */
  registerPacket(bytes: number, now: number): number;
  /** Copies what it is given, and says false when it could not send. */
  send(packet: Buffer): boolean;
}

/** What was agreed on for an m-line on which a viewer is sent something. */
export interface DownTrackParameters {
  readonly mid: string;
  readonly kind: TrackKind;
  /** What the viewer was answered with. */
  readonly formats: readonly Format[];
  /** By payload type, the one for the same sent again (RFC 4588). Empty: it is sent again as it was. */
  readonly retransmissions: ReadonlyMap<number, number>;
  readonly ssrc: number;
  readonly retransmissionSsrc: number | undefined;
  /** Players play what has the same one in step. */
  readonly cname: string;
  readonly extensions: ExtensionBlock | undefined;
}

const MARKER = 0x80;
/** Packets at a time: a probe's lasts for tens of ms. */
const MOST_FILLING = 64;

/** For what is sent again: that is read once more. */
const payloadOfResent = emptyPayloadInfo();

/**
 * One m-line of one viewer. Whatever is shown on it, it has one SSRC for ever, and sequence numbers, times and
 * picture ids that go on where they were when it changes to another encoding or source.
 */
export class DownTrack implements EncodingSink {
  readonly parameters: DownTrackParameters;
  readonly #sink: DownTrackTransport;
  readonly #retransmission: RetransmissionStream | undefined;
  readonly #numbering = new SequenceRewriter();
  readonly #times: TimestampRewriter;
  readonly #pictures = new PictureIdRewriter();
  readonly #filter = new LayerFilter();
  #current: RtpEncoding | undefined;
  /** What it changes to with the next keyframe. */
  #next: RtpEncoding | undefined;
  #payloadType = 0;
  /** Whether the current encoding's numbers and times have been fitted to ours. */
  #anchored = false;
  #packets = 0;
  #bytes = 0;
  /** The last sender report: as receivers name it, and when it was sent. */
  #told = { report: 0, at: 0 };

  constructor(terms: DownTrackParameters, sink: DownTrackTransport) {
    this.parameters = terms;
    this.#sink = sink;
    this.#times = new TimestampRewriter(clockRate(terms.kind));
    const { retransmissionSsrc } = terms;
    this.#retransmission = retransmissionSsrc === undefined ? undefined : new RetransmissionStream(retransmissionSsrc);
  }

  /** What flows. */
  get current(): RtpEncoding | undefined {
    return this.#current;
  }

  /** When something was sent last. */
  get lastSentAt(): number | undefined {
    return this.#times.lastSentAt;
  }

  /** Changes to an encoding; what flows now goes on until its keyframe comes. `undefined`: nothing is shown. */
  show(encoding: RtpEncoding | undefined, now: number): void {
    const shown = encoding && matchFormat(this.parameters.formats, encoding.format) ? encoding : undefined;
    if (shown === (this.#next ?? this.#current)) return;
    this.#next?.disconnect(this);
    this.#next = undefined;
    if (shown === this.#current) return;
    if (!shown) {
      this.#current?.disconnect(this);
      this.#current = undefined;
      return;
    }
    this.#next = shown;
    shown.connect(this, now);
  }

  /** Of a scalable encoding, sends layers up to these, from the next picture on that permits it. */
  limitLayers(limit: LayerLimit, now: number): void {
    this.#filter.limit(limit);
    if (this.#filter.needsKeyframe) this.#current?.requestKeyframe(now);
  }

  /** Its viewer cannot decode any further without. */
  wantKeyframe(now: number): void {
    if (!this.#next) this.#current?.requestKeyframe(now);
  }

  /** Called by an encoding: the next packet of it is the first that comes here. */
  onStart(encoding: RtpEncoding): void {
    const before = this.#current;
    this.#times.endSource(before?.senderReport);
    before?.disconnect(this);
    this.#current = encoding;
    this.#next = undefined;
    this.#payloadType = matchFormat(this.parameters.formats, encoding.format)?.payloadType ?? 0;
    this.#anchored = false;
  }

  /** Called by an encoding that ended. */
  onEnd(encoding: RtpEncoding): void {
    if (this.#next === encoding) this.#next = undefined;
    if (this.#current === encoding) this.#current = undefined;
  }

  /** Sends a packet of the current encoding, unless the viewer does without it. False: it was not sent. */
  forward(media: MediaPacket, now: number): boolean {
    if (!this.#anchored) this.#anchor(media, now);
    const { payload } = media;
    if (this.#filter.drops(payload)) return this.#leaveOut(media);
    const number = this.#numbering.rewrite(media.sequence);
    if (number === undefined) return false;
    const sentTimestamp = this.#times.rewrite(media.timestamp);
    const { extensions } = this.parameters;
    const bytes = media.packet.length;
    const transportSequence = this.#sink.registerPacket(bytes, now);
    extensions?.stamp(transportSequence, now);
    const written = outgoing.written(extensions);
    this.#writeHeader(written, number, sentTimestamp);
    if (this.#filter.endsPicture(payload)) written[1]! |= MARKER;
    if (payload.pictureIdAt >= 0) {
      const payloadAt = written.length - bytes + media.payloadAt;
      if (!this.#pictures.rewrite(written, payloadAt, payload)) return false;
    }
    if (number === this.#numbering.newest) this.#times.onSent(sentTimestamp, now);
    this.#packets++;
    this.#bytes += bytes - media.payloadAt;
    return this.#sink.send(written);
  }

  /** Tells the viewer how the source's wall clock and its media clock go together, the latter as we send it. */
  sendSenderReport(report: SenderReport, now: number): void {
    if (!this.#anchored) return;
    this.#told = { report: compactNtp(report), at: now };
    const rtpTimestamp = this.#times.rewrite(report.rtpTimestamp);
    const sent = { ...report, rtpTimestamp, packets: this.#packets, bytes: this.#bytes };
    this.#sink.send(senderReport(this.parameters.ssrc, sent, this.parameters.cname));
  }

  /** How long it took to the viewer and back, in ms, by its report (RFC 3550 6.4.1). `undefined`: it does not say. */
  roundTripTime({ lastSenderReport, delaySinceLastSenderReport }: ReportBlock, now: number): number | undefined {
    if (lastSenderReport === 0 || lastSenderReport !== this.#told.report) return undefined;
    return Math.max(0, now - this.#told.at - (delaySinceLastSenderReport * 1_000) / 65_536);
  }

  /** Sends again what is still known of it, as far as it goes, and answers how many packets that were. */
  resend(sequenceNumbers: readonly number[], most: number, now: number): number {
    let sent = 0;
    for (const sequence of sequenceNumbers) {
      if (sent >= most) break;
      if (this.#resendOne(sequence, now)) sent++;
    }
    return sent;
  }

  /**
   * Sends the latest packets once more, as far as the viewer takes such on an SSRC of their own: players expect them
   * there, and throw away what they have. Answers how many bytes that were, 0: there is nothing to fill in with.
   */
  sendPadding(bytes: number, now: number): number {
    const { newest } = this.#numbering;
    if (newest === undefined || !this.canSendPadding) return 0;
    let sent = 0;
    for (let back = 0; back < MOST_FILLING && sent < bytes; back++) {
      sent += this.#resendOne((newest - back) & 0xffff, now);
    }
    return sent;
  }

  /** Whether what is sent on this line can be made more than there is to send, and the viewer reports on all of it. */
  get canSendPadding(): boolean {
    const { retransmissions, extensions } = this.parameters;
    return (
      this.#retransmission !== undefined && retransmissions.has(this.#payloadType) && !!extensions?.hasTransportSequence
    );
  }

  /** Answers how many bytes it sent. */
  #resendOne(sequence: number, now: number): number {
    const { newest } = this.#numbering;
    const encoding = this.#current;
    if (newest === undefined || !encoding || !this.#anchored) return 0;
    const number = newest + sequenceDistance(sequence, newest & 0xffff);
    const source = this.#numbering.originalOf(number);
    const cached = source === undefined ? undefined : encoding.cachedPacket(source);
    if (!cached) return 0;
    const packet = Buffer.from(cached);
    this.#writeHeader(packet, number, this.#times.rewrite(timestamp(cached)));
    readPayload(encoding.format.codec as VideoCodec, packet, payloadOfResent);
    if (this.#filter.endsPicture(payloadOfResent)) packet[1]! |= MARKER;
    if (!this.#pictures.rewrite(packet, payloadStart(packet), payloadOfResent)) return 0;
    const retransmitted = this.parameters.retransmissions.get(this.#payloadType);
    const again =
      this.#retransmission && retransmitted !== undefined ? this.#retransmission.wrap(packet, retransmitted) : packet;
    const { extensions } = this.parameters;
    extensions?.stamp(this.#sink.registerPacket(again.length, now), now);
    outgoing.load(again);
    return this.#sink.send(outgoing.written(extensions)) ? again.length : 0;
  }

  #writeHeader(packet: Buffer, number: number, sentTimestamp: number): void {
    setPayloadType(packet, this.#payloadType);
    setSequenceNumber(packet, number & 0xffff);
    setTimestamp(packet, sentTimestamp);
    setSsrc(packet, this.parameters.ssrc);
  }

  #leaveOut(media: MediaPacket): boolean {
    // VP8's decoders take an id that is missing for a picture that is; VP9's count on its pattern of ids.
    if (this.#current?.format.codec === 'vp8') this.#pictures.drop(media.payload);
    if (this.#numbering.drop(media.sequence)) return false;
    // It was lost on its way here, and has a number that the viewer waits for: that comes, with nothing in it.
    const number = this.#numbering.rewrite(media.sequence);
    if (number === undefined) return false;
    const empty = Buffer.alloc(12);
    empty[0] = 0x80;
    this.#writeHeader(empty, number, this.#times.rewrite(media.timestamp));
    return this.#sink.send(empty);
  }

  /** Fits the numbers and times of a new encoding behind the last ones sent. */
  #anchor(media: MediaPacket, now: number): void {
    const clock = this.#current?.senderReport;
    this.#anchored = true;
    this.#numbering.startSource(media.sequence);
    this.#times.startSource(media.timestamp, clock, now);
    this.#pictures.startSource(media.packet, media.payloadAt, media.payload);
    this.#filter.reset();
    // So that sound and picture are in step from the first frame, and not from the next report on.
    if (clock) this.sendSenderReport(clock, now);
  }
}
