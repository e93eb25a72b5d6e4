import { randomInt } from 'node:crypto';
import type { ReceptionState } from '../../engine/media-figures.js';
import type { SourceId } from '../../engine/media-track.js';
import { TransportFeedbackGenerator, type ArrivalWindow } from '../bandwidth/transport-feedback-generator.js';
import { nack, pictureLossIndication, readRtcp, receiverReport, remb } from '../rtcp/rtcp.js';
import { readSendTime, readTransportSequence } from '../rtp/header-extensions.js';
import { keepExtensions, type SenderIds } from '../rtp/kept-extensions.js';
import { isRtcp, isRtp, payloadType, sequenceNumber, ssrc, timestamp, withoutHeaderExtension } from '../rtp/packet.js';
import { packetOfBlock, unpackRedundancy, type RedundantBlock } from '../rtp/redundant-audio.js';
import { unwrapRetransmission } from '../rtp/retransmission.js';
import type { PublishedTrack, PublisherExtensions } from '../../sdp/negotiation.js';
import type { PacketSink } from '../transport/webrtc-transport.js';
import { Receivers, type Receiver } from './receivers.js';
import type { RtpEncoding } from './rtp-encoding.js';
import { Source, type KeyframeRequester, type SourceEvents } from './source.js';

export interface PublisherTransportOptions {
  /**
   * What REMB allows a publisher in all, in bit/s, unless transport feedback was agreed: those publishers estimate by
   * themselves what their network carries, and REMB would only limit them. Default: 4 Mbit/s.
   */
  readonly maxRembBitrate?: number | undefined;
}

const NOTHING_KEPT: SenderIds = { dependencyDescriptor: undefined, captureTime: undefined };
const MAX_REMB_BITRATE = 4_000_000;
/** Browsers keep the last REMB, so one that limits nothing has to replace a limit that has ended. */
const UNLIMITED_BITRATE = 1_000_000_000;
const REPORT_INTERVAL_MS = 1_000;
/** The report count of a receiver report has five bits. */
const MAX_REPORT_BLOCKS = 31;

/**
 * The server's end of a publisher's connection: assigns packets to encodings, delivers them to the source, requests
 * lost packets and keyframes, and sends reports. It accepts any packet without throwing.
 */
export class PublisherTransport implements KeyframeRequester {
  readonly source: Source;
  readonly #sink: PacketSink;
  readonly #tracks: readonly PublishedTrack[];
  /** The server's SSRC in RTCP. */
  readonly #ssrc = randomInt(1, 2 ** 32);
  readonly #receivers: Receivers;
  readonly #feedback = new TransportFeedbackGenerator(this.#ssrc);
  /** Of the track whose packets have transport-wide sequence numbers. */
  readonly #numberedExtensions: PublisherExtensions | undefined;
  /** Of the video. */
  readonly #keptExtensions: SenderIds;
  /** Without a limit of the account. */
  readonly #ownMaxBitrate: number;
  /** What REMB tells the publisher. Undefined: there is no REMB. */
  #toldBitrate: number | undefined;
  #reportedAt = -Infinity;
  #receptionBefore = { received: 0, lost: 0, shed: 0 };

  constructor(
    id: SourceId,
    tracks: readonly PublishedTrack[],
    sink: PacketSink,
    events: SourceEvents,
    { maxRembBitrate = MAX_REMB_BITRATE }: PublisherTransportOptions = {},
  ) {
    this.#sink = sink;
    this.#tracks = tracks;
    this.#keptExtensions = tracks.find(({ kind }) => kind === 'video')?.extensions ?? NOTHING_KEPT;
    this.#numberedExtensions = tracks.find(({ extensions }) => extensions.transportSequence !== undefined)?.extensions;
    const isEstimating = this.#numberedExtensions !== undefined;
    this.#ownMaxBitrate = isEstimating ? UNLIMITED_BITRATE : maxRembBitrate;
    this.#toldBitrate = isEstimating ? undefined : maxRembBitrate;
    const sourceTracks = tracks.map(({ kind, format, encodings, isAskable }) => ({
      kind,
      format,
      encodingIds: encodings.map((_, index) => String(index)),
      keepsGroup: kind === 'video' && !isAskable,
    }));
    this.source = new Source(id, sourceTracks, this, events);
    this.#receivers = new Receivers(tracks, (track) => this.#encodingsOf(track));
  }

  /** @param arrival when the packet arrived, as far as is known */
  receive(packet: Buffer, arrival: ArrivalWindow): void {
    const { now } = arrival;
    if (isRtp(packet)) {
      this.source.onArrival(arrival.notBefore, now);
      this.#recordArrival(packet, arrival);
      this.#receiveRtp(packet, now);
    } else if (isRtcp(packet)) {
      this.#receiveRtcp(packet, now);
    }
  }

  /** Whether a packet is missing that a NACK can request, or viewers catch up. */
  get needsTickSoon(): boolean {
    if (this.source.isCatchingUp) return true;
    for (const { track, stream, original } of this.#receivers) {
      if (track.isNacked && !original && stream.hasMissing) return true;
    }
    return false;
  }

  takeReception(): ReceptionState {
    const { received, lost } = this.#receivers.totals;
    const { shed, bitrate } = this.source;
    let jitterMs = 0;
    for (const { encoding, stream, original } of this.#receivers) {
      if (original) continue;
      if (encoding.kind === 'video' || this.source.video.length === 0) jitterMs = Math.max(jitterMs, stream.jitterMs);
    }
    const before = this.#receptionBefore;
    this.#receptionBefore = { received, lost, shed };
    const codecs = Object.fromEntries(this.#tracks.map(({ kind, format }) => [kind, format.codec]));
    // A packet that comes late after all is no longer lost.
    const newlyLost = Math.max(0, lost - before.lost);
    return {
      packets: received - before.received,
      lost: newlyLost,
      shed: shed - before.shed,
      jitterMs,
      bitrate,
      codecs,
    };
  }

  requestKeyframe(encoding: RtpEncoding): void {
    const receiver = this.#receivers.mediaOf(encoding);
    if (receiver) this.#sink.send(pictureLossIndication(this.#ssrc, receiver.stream.ssrc));
  }

  /** See `PublishingSession.limitBitrate`. */
  limitBitrate(maxBitrate = Infinity): void {
    this.#toldBitrate = Math.min(this.#ownMaxBitrate, maxBitrate);
    this.#reportedAt = -Infinity;
  }

  /** Call every few tens of ms: sends NACKs and transport feedback, and reports once a second. */
  tick(now: number): void {
    for (const { track, stream, original } of this.#receivers) {
      if (!track.isNacked || original) continue;
      const missing = stream.takeNackList(now);
      if (missing.length) this.#sink.send(nack(this.#ssrc, stream.ssrc, missing));
    }
    if (now - this.#reportedAt >= REPORT_INTERVAL_MS) this.#sendReports(now);
    for (const feedback of this.#feedback.takeFeedback(now)) this.#sink.send(feedback);
  }

  #recordArrival(packet: Buffer, arrival: ArrivalWindow): void {
    const { transportSequence, absoluteSendTime = 0 } = this.#numberedExtensions ?? {};
    if (transportSequence === undefined) return;
    const sequence = readTransportSequence(packet, transportSequence);
    this.#feedback.onPacket(sequence, readSendTime(packet, absoluteSendTime), ssrc(packet), arrival);
  }

  #receiveRtp(packet: Buffer, now: number): void {
    const receiver = this.#receivers.get(ssrc(packet));
    if (receiver) return this.#receiveFrom(receiver, packet, now);
    const found = this.#receivers.add(packet, now);
    for (const each of found?.packets ?? []) this.#receiveFrom(found!.receiver, each, now);
  }

  #receiveFrom(receiver: Receiver, packet: Buffer, now: number): void {
    const { encoding, original, stream } = receiver;
    if (!original) return this.#deliver(receiver, packet, now);
    stream.receive(sequenceNumber(packet), timestamp(packet), now);
    const resent = unwrapRetransmission(packet, original);
    const media = this.#receivers.mediaOf(encoding);
    if (resent && media && isRtp(resent)) this.#deliver(media, resent, now);
  }

  #deliver(receiver: Receiver, received: Buffer, now: number): void {
    const { encoding, stream, probation } = receiver;
    const { packet, blocks } = unpack(receiver, received);
    if (payloadType(packet) !== encoding.format.payloadType) return;
    probation.onCurrent();
    const sequence = stream.receive(sequenceNumber(packet), timestamp(packet), now);
    const { held } = receiver;
    receiver.held = stream.isHeld ? packet : undefined;
    if (sequence === undefined) return;
    if (stream.isRestart && held) this.#pass(encoding, held, sequence - 1, now);
    this.#restore(receiver, packet, sequence, blocks, now);
    if (stream.recoveryDelay && encoding.kind === 'video') {
      this.source.playoutDelay.onLatePacket(stream.recoveryDelay, now);
    }
    this.#pass(encoding, packet, sequence, now);
  }

  /** Delivers the lost packets that this packet carries. */
  #restore(
    { encoding, stream, gaps }: Receiver,
    packet: Buffer,
    sequence: number,
    blocks: readonly RedundantBlock[],
    now: number,
  ): void {
    if (!gaps) return;
    gaps.add(sequence, timestamp(packet));
    for (const block of blocks) {
      const lost = gaps.find(timestamp(packet) - block.timestampOffset, sequence);
      if (lost === undefined || !stream.restore(lost)) continue;
      const restored = packetOfBlock(packet, lost, block);
      gaps.add(lost, timestamp(restored));
      this.#pass(encoding, restored, lost, now);
    }
  }

  #pass(encoding: RtpEncoding, packet: Buffer, sequence: number, now: number): void {
    const kept = encoding.kind === 'video' ? this.#keptExtensions : NOTHING_KEPT;
    this.source.deliver(encoding, keepExtensions(packet, kept), sequence, now);
  }

  #encodingsOf({ kind }: PublishedTrack): readonly RtpEncoding[] {
    return kind === 'video' ? this.source.video : this.source.audio ? [this.source.audio] : [];
  }

  #receiveRtcp(packet: Buffer, now: number): void {
    for (const message of readRtcp(packet)) {
      if (message.type !== 'sender-report') continue;
      const receiver = this.#receivers.get(message.ssrc);
      if (!receiver) continue;
      receiver.stream.onSenderReport(message.report, now);
      if (!receiver.original) this.source.onSenderReport(receiver.encoding, message.report, now);
    }
  }

  #sendReports(now: number): void {
    const streams = [...this.#receivers].map(({ stream }) => stream);
    if (!streams.length) return;
    this.#reportedAt = now;
    // Not of streams that are silent (RFC 3550 6.4): publishers take a report as a sign that their media arrives.
    const active = streams.filter((stream) => stream.hasNews).slice(0, MAX_REPORT_BLOCKS);
    const report = receiverReport(
      this.#ssrc,
      active.map((stream) => stream.reportBlock(now)),
    );
    if (this.#toldBitrate === undefined) return active.length > 0 ? void this.#sink.send(report) : undefined;
    const ssrcs = streams.map(({ ssrc }) => ssrc);
    this.#sink.send(Buffer.concat([report, remb(this.#ssrc, this.#toldBitrate, ssrcs)]));
  }
}

/** Without redundancy. The packet is returned as it is if it has none, or if it cannot be read. */
function unpack(
  { track: { redundancy, format } }: Receiver,
  packet: Buffer,
): { readonly packet: Buffer; readonly blocks: readonly RedundantBlock[] } {
  if (redundancy === undefined || payloadType(packet) !== redundancy) return { packet, blocks: [] };
  const bare = withoutHeaderExtension(packet);
  return unpackRedundancy(bare, format.payloadType) ?? { packet: bare, blocks: [] };
}
