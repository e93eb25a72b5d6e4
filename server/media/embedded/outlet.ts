import type { TrackKind, VideoCodec } from '../media-engine.js';
import { outgoing, type Encoding, type MediaPacket, type Receiver } from './encoding.js';
import { LayerFilter, type LayerLimit } from './layer-filter.js';
import type { ExtensionBlock } from './rtp/header-extensions.js';
import { Numbering } from './rtp/numbering.js';
import {
  payloadStart,
  sequenceDistance,
  setPayloadType,
  setSequenceNumber,
  setSsrc,
  setTimestamp,
  timestamp,
} from './rtp/packet.js';
import { emptyPayloadInfo, readPayload } from './rtp/payload.js';
import { PictureNumbering } from './rtp/picture-numbering.js';
import { RetransmissionStream } from './rtp/retransmission.js';
import { middleBits, senderReport, type ReceptionReport, type SenderReport } from './rtp/rtcp.js';
import { Timeline } from './rtp/timeline.js';
import { clockRate, matchFormat, type Format } from './sdp/codecs.js';

/** Where an outlet's packets go: the viewer that it is of. */
export interface OutletSink {
  /** Counts a packet among those that the viewer's network is judged by, and answers its transport-wide number. */
  number(bytes: number, now: number): number;
  /** Copies what it is given, and says false when it could not send. */
  send(packet: Buffer): boolean;
}

/** What was agreed on for an m-line on which a viewer is sent something. */
export interface OutletTerms {
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
export class Outlet implements Receiver {
  readonly terms: OutletTerms;
  readonly #sink: OutletSink;
  readonly #retransmission: RetransmissionStream | undefined;
  readonly #numbering = new Numbering();
  readonly #times: Timeline;
  readonly #pictures = new PictureNumbering();
  readonly #filter = new LayerFilter();
  #current: Encoding | undefined;
  /** What it changes to with the next keyframe. */
  #next: Encoding | undefined;
  #payloadType = 0;
  /** Whether the current encoding's numbers and times have been fitted to ours. */
  #anchored = false;
  #packets = 0;
  #bytes = 0;
  /** The last sender report: as receivers name it, and when it was sent. */
  #told = { report: 0, at: 0 };

  constructor(terms: OutletTerms, sink: OutletSink) {
    this.terms = terms;
    this.#sink = sink;
    this.#times = new Timeline(clockRate(terms.kind));
    const { retransmissionSsrc } = terms;
    this.#retransmission = retransmissionSsrc === undefined ? undefined : new RetransmissionStream(retransmissionSsrc);
  }

  /** What flows. */
  get current(): Encoding | undefined {
    return this.#current;
  }

  /** When something was sent last. */
  get lastAt(): number | undefined {
    return this.#times.lastAt;
  }

  /** Changes to an encoding; what flows now goes on until its keyframe comes. `undefined`: nothing is shown. */
  show(encoding: Encoding | undefined, now: number): void {
    const shown = encoding && matchFormat(this.terms.formats, encoding.format) ? encoding : undefined;
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
  limit(limit: LayerLimit, now: number): void {
    this.#filter.limit(limit);
    if (this.#filter.wantsKeyframe) this.#current?.wantKeyframe(now);
  }

  /** Its viewer cannot decode any further without. */
  wantKeyframe(now: number): void {
    if (!this.#next) this.#current?.wantKeyframe(now);
  }

  /** Called by an encoding: the next packet of it is the first that comes here. */
  begin(encoding: Encoding): void {
    const before = this.#current;
    this.#times.leave(before?.clock);
    before?.disconnect(this);
    this.#current = encoding;
    this.#next = undefined;
    this.#payloadType = matchFormat(this.terms.formats, encoding.format)?.payloadType ?? 0;
    this.#anchored = false;
  }

  /** Called by an encoding that ended. */
  lose(encoding: Encoding): void {
    if (this.#next === encoding) this.#next = undefined;
    if (this.#current === encoding) this.#current = undefined;
  }

  /** Sends a packet of the current encoding, unless the viewer does without it. False: it was not sent. */
  forward(media: MediaPacket, now: number): boolean {
    if (!this.#anchored) this.#anchor(media, now);
    const { payload } = media;
    if (this.#filter.leavesOut(payload)) return this.#leaveOut(media);
    const number = this.#numbering.place(media.sequence);
    if (number === undefined) return false;
    const sentTimestamp = this.#times.of(media.timestamp);
    const { extensions } = this.terms;
    const bytes = media.packet.length;
    const transportSequence = this.#sink.number(bytes, now);
    extensions?.stamp(transportSequence, now);
    const written = outgoing.written(extensions);
    this.#writeHeader(written, number, sentTimestamp);
    if (this.#filter.endsPicture(payload)) written[1]! |= MARKER;
    if (payload.pictureIdAt >= 0) {
      const payloadAt = written.length - bytes + media.payloadAt;
      if (!this.#pictures.write(written, payloadAt, payload)) return false;
    }
    if (number === this.#numbering.newest) this.#times.note(sentTimestamp, now);
    this.#packets++;
    this.#bytes += bytes - media.payloadAt;
    return this.#sink.send(written);
  }

  /** Tells the viewer how the source's wall clock and its media clock go together, the latter as we send it. */
  tellTime(report: SenderReport, now: number): void {
    if (!this.#anchored) return;
    this.#told = { report: middleBits(report), at: now };
    const rtpTimestamp = this.#times.of(report.rtpTimestamp);
    const sent = { ...report, rtpTimestamp, packets: this.#packets, bytes: this.#bytes };
    this.#sink.send(senderReport(this.terms.ssrc, sent, this.terms.cname));
  }

  /** How long it took to the viewer and back, in ms, by its report (RFC 3550 6.4.1). `undefined`: it does not say. */
  roundTrip({ lastSenderReport, delaySinceLastSenderReport }: ReceptionReport, now: number): number | undefined {
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
  fill(bytes: number, now: number): number {
    const { newest } = this.#numbering;
    if (newest === undefined || !this.canFill) return 0;
    let sent = 0;
    for (let back = 0; back < MOST_FILLING && sent < bytes; back++) {
      sent += this.#resendOne((newest - back) & 0xffff, now);
    }
    return sent;
  }

  /** Whether what is sent on this line can be made more than there is to send, and the viewer reports on all of it. */
  get canFill(): boolean {
    const { retransmissions, extensions } = this.terms;
    return this.#retransmission !== undefined && retransmissions.has(this.#payloadType) && !!extensions?.numbered;
  }

  /** Answers how many bytes it sent. */
  #resendOne(sequence: number, now: number): number {
    const { newest } = this.#numbering;
    const encoding = this.#current;
    if (newest === undefined || !encoding || !this.#anchored) return 0;
    const number = newest + sequenceDistance(sequence, newest & 0xffff);
    const source = this.#numbering.sourceOf(number);
    const cached = source === undefined ? undefined : encoding.find(source);
    if (!cached) return 0;
    const packet = Buffer.from(cached);
    this.#writeHeader(packet, number, this.#times.of(timestamp(cached)));
    readPayload(encoding.format.codec as VideoCodec, packet, payloadOfResent);
    if (this.#filter.endsPicture(payloadOfResent)) packet[1]! |= MARKER;
    if (!this.#pictures.write(packet, payloadStart(packet), payloadOfResent)) return 0;
    const retransmitted = this.terms.retransmissions.get(this.#payloadType);
    const again =
      this.#retransmission && retransmitted !== undefined ? this.#retransmission.wrap(packet, retransmitted) : packet;
    const { extensions } = this.terms;
    extensions?.stamp(this.#sink.number(again.length, now), now);
    outgoing.load(again);
    return this.#sink.send(outgoing.written(extensions)) ? again.length : 0;
  }

  #writeHeader(packet: Buffer, number: number, sentTimestamp: number): void {
    setPayloadType(packet, this.#payloadType);
    setSequenceNumber(packet, number & 0xffff);
    setTimestamp(packet, sentTimestamp);
    setSsrc(packet, this.terms.ssrc);
  }

  #leaveOut(media: MediaPacket): boolean {
    // VP8's decoders take an id that is missing for a picture that is; VP9's count on its pattern of ids.
    if (this.#current?.format.codec === 'vp8') this.#pictures.leaveOut(media.payload);
    if (this.#numbering.leaveOut(media.sequence)) return false;
    // It was lost on its way here, and has a number that the viewer waits for: that comes, with nothing in it.
    const number = this.#numbering.place(media.sequence);
    if (number === undefined) return false;
    const empty = Buffer.alloc(12);
    empty[0] = 0x80;
    this.#writeHeader(empty, number, this.#times.of(media.timestamp));
    return this.#sink.send(empty);
  }

  /** Fits the numbers and times of a new encoding behind the last ones sent. */
  #anchor(media: MediaPacket, now: number): void {
    const clock = this.#current?.clock;
    this.#anchored = true;
    this.#numbering.begin(media.sequence);
    this.#times.begin(media.timestamp, clock, now);
    this.#pictures.begin(media.packet, media.payloadAt, media.payload);
    this.#filter.begin();
    // So that sound and picture are in step from the first frame, and not from the next report on.
    if (clock) this.tellTime(clock, now);
  }
}
