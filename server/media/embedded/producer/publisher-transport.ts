import { randomInt } from 'node:crypto';
import type { SourceId } from '../../media-engine.js';
import { TransportFeedbackGenerator, type ArrivalWindow } from '../bandwidth/transport-feedback-generator.js';
import type { RtpEncoding } from './rtp-encoding.js';
import { readSendTime, readTextExtension, readTransportSequence } from '../rtp/header-extensions.js';
import { isRtcp, isRtp, payloadType, sequenceNumber, ssrc, timestamp, withoutHeaderExtension } from '../rtp/packet.js';
import { ReceiveStream } from './receive-stream.js';
import { remb, nack, pictureLossIndication, readRtcp, receiverReport } from '../rtcp/rtcp.js';
import { unwrapRetransmission } from '../rtp/retransmission.js';
import { clockRate } from '../sdp/codecs.js';
import type { PublishedTrack, PublisherExtensions } from '../sdp/negotiation.js';
import { Source, type SourceEvents, type KeyframeRequester } from './source.js';
import type { PacketSink } from '../transport/webrtc-transport.js';

/** What comes on one SSRC. */
interface Incoming {
  readonly encoding: RtpEncoding;
  readonly reception: ReceiveStream;
  /** Set where it is the encoding's packets sent again: what they were. */
  readonly original: { readonly payloadType: number; readonly ssrc: number } | undefined;
}

/** What a publisher may send in all, told every second by REMB. */
const MAXIMUM_BITRATE = 4_000_000;
const REPORT_EVERY_MS = 1_000;
/** A receiver report has five bits for how many blocks it holds. */
const MOST_REPORTS = 31;

/**
 * A publisher at the other end of a transport: its packets are told apart, counted, and handed to its source; what is
 * missing is asked for. Whatever arrives, it never throws.
 */
export class PublisherTransport implements KeyframeRequester {
  readonly source: Source;
  readonly #sink: PacketSink;
  readonly #tracks: readonly PublishedTrack[];
  /** What we call ourselves in reports. */
  readonly #ssrc = randomInt(1, 2 ** 32);
  readonly #incoming = new Map<number, Incoming>();
  readonly #arrivals = new TransportFeedbackGenerator(this.#ssrc);
  /** The track whose packets are numbered across the transport. */
  readonly #numbered: PublisherExtensions | undefined;
  #reportedAt = -Infinity;

  constructor(id: SourceId, tracks: readonly PublishedTrack[], sink: PacketSink, events: SourceEvents) {
    this.#sink = sink;
    this.#tracks = tracks;
    this.#numbered = tracks.find(({ extensions }) => extensions.transportSequence !== undefined)?.extensions;
    const named = tracks.map(({ kind, format, encodings }) => ({
      kind,
      format,
      encodingIds: encodings.map((_, index) => String(index)),
    }));
    this.source = new Source(id, named, this, events);
  }

  /** @param handover when the packet came, as far as can be told */
  receive(packet: Buffer, handover: ArrivalWindow): void {
    const { now } = handover;
    if (isRtp(packet)) {
      this.#noteArrival(packet, handover);
      this.#receiveMedia(packet, now);
    } else if (isRtcp(packet)) {
      this.#receiveReports(packet, now);
    }
  }

  /** Whether packets are missing that can be asked for. */
  get needsTickSoon(): boolean {
    for (const { encoding, reception, original } of this.#incoming.values()) {
      if (encoding.kind === 'video' && !original && reception.hasMissing) return true;
    }
    return false;
  }

  requestKeyframe(encoding: RtpEncoding): void {
    const incoming = this.#mediaOf(encoding);
    if (incoming) this.#sink.send(pictureLossIndication(this.#ssrc, incoming.reception.ssrc));
  }

  /** To be called every few tens of ms: asks for what is missing, and reports once a second. */
  tick(now: number): void {
    for (const { encoding, reception, original } of this.#incoming.values()) {
      if (encoding.kind !== 'video' || original) continue;
      const missing = reception.takeNackList(now);
      if (missing.length) this.#sink.send(nack(this.#ssrc, reception.ssrc, missing));
    }
    if (now - this.#reportedAt >= REPORT_EVERY_MS) this.#report(now);
    for (const feedback of this.#arrivals.takeFeedback(now)) this.#sink.send(feedback);
  }

  #noteArrival(packet: Buffer, handover: ArrivalWindow): void {
    const { transportSequence, absoluteSendTime = 0 } = this.#numbered ?? {};
    if (transportSequence === undefined) return;
    const sequence = readTransportSequence(packet, transportSequence);
    this.#arrivals.onPacket(sequence, readSendTime(packet, absoluteSendTime), ssrc(packet), handover);
  }

  #receiveMedia(packet: Buffer, now: number): void {
    const incoming = this.#incoming.get(ssrc(packet)) ?? this.#identify(packet);
    if (!incoming) return;
    const { encoding, original } = incoming;
    if (!original) return this.#deliver(incoming, packet, now);
    incoming.reception.receive(sequenceNumber(packet), timestamp(packet), now);
    const carried = unwrapRetransmission(packet, original);
    const media = this.#mediaOf(encoding);
    // Of what did not come at all yet, nothing can have been asked for.
    if (carried && media && isRtp(carried)) this.#deliver(media, carried, now);
  }

  #deliver({ encoding, reception }: Incoming, packet: Buffer, now: number): void {
    if (payloadType(packet) !== encoding.format.payloadType) return;
    const sequence = reception.receive(sequenceNumber(packet), timestamp(packet), now);
    if (sequence === undefined) return;
    if (reception.recoveryDelay && encoding.kind === 'video')
      this.source.playoutDelay.onLatePacket(reception.recoveryDelay, now);
    this.source.deliver(encoding, withoutHeaderExtension(packet), sequence, now);
  }

  /** Whose packet it is, of an SSRC that was not heard of before: as the offer says, or else the packet itself. */
  #identify(packet: Buffer): Incoming | undefined {
    const number = payloadType(packet);
    const from = ssrc(packet);
    for (const track of this.#tracks) {
      const isAgain = number === track.retransmission;
      if (!isAgain && number !== track.format.payloadType) continue;
      const index = declaredIndex(track, packet, isAgain);
      const encoding = index < 0 ? undefined : this.#encodingsOf(track)[index];
      return encoding && this.#bind(track, encoding, from, isAgain);
    }
    return undefined;
  }

  #bind(track: PublishedTrack, encoding: RtpEncoding, from: number, isAgain: boolean): Incoming | undefined {
    const media = this.#mediaOf(encoding);
    // One SSRC for each encoding, and one for what of it is sent again: the first that came.
    if (isAgain ? !media || this.#incomingOf(encoding, true) : media) return undefined;
    const original =
      isAgain && media ? { payloadType: track.format.payloadType, ssrc: media.reception.ssrc } : undefined;
    const incoming = { encoding, reception: new ReceiveStream(from, clockRate(track.kind)), original };
    this.#incoming.set(from, incoming);
    return incoming;
  }

  #encodingsOf({ kind }: PublishedTrack): readonly RtpEncoding[] {
    return kind === 'video' ? this.source.video : this.source.audio ? [this.source.audio] : [];
  }

  #mediaOf(encoding: RtpEncoding): Incoming | undefined {
    return this.#incomingOf(encoding, false);
  }

  #incomingOf(encoding: RtpEncoding, again: boolean): Incoming | undefined {
    for (const incoming of this.#incoming.values()) {
      if (incoming.encoding === encoding && (incoming.original !== undefined) === again) return incoming;
    }
    return undefined;
  }

  #receiveReports(packet: Buffer, now: number): void {
    for (const message of readRtcp(packet)) {
      if (message.type !== 'sender-report') continue;
      const incoming = this.#incoming.get(message.ssrc);
      if (!incoming) continue;
      incoming.reception.onSenderReport(message.report, now);
      if (!incoming.original) this.source.onSenderReport(incoming.encoding, message.report, now);
    }
  }

  #report(now: number): void {
    const receptions = [...this.#incoming.values()].map(({ reception }) => reception);
    if (!receptions.length) return;
    this.#reportedAt = now;
    const reports = receptions.slice(0, MOST_REPORTS).map((reception) => reception.report(now));
    const ssrcs = receptions.map((reception) => reception.ssrc);
    this.#sink.send(Buffer.concat([receiverReport(this.#ssrc, reports), remb(this.#ssrc, MAXIMUM_BITRATE, ssrcs)]));
  }
}

/** Which of a track's encodings a packet is of; -1: it does not say, or is of none. */
function declaredIndex({ encodings, extensions }: PublishedTrack, packet: Buffer, isAgain: boolean): number {
  const [first] = encodings;
  if (first?.rid !== undefined) {
    const rid = readRid(packet, isAgain ? extensions.repairedRid : extensions.rid);
    return encodings.findIndex((encoding) => encoding.rid === rid);
  }
  // Without a word in the offer it is what comes first.
  if (first?.ssrc === undefined) return 0;
  const from = ssrc(packet);
  return encodings.findIndex((encoding) => (isAgain ? encoding.retransmissionSsrc : encoding.ssrc) === from);
}

const readRid = (packet: Buffer, id: number | undefined): string | undefined =>
  id === undefined ? undefined : readTextExtension(packet, id);
