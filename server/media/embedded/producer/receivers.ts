import { readTextExtension } from '../rtp/header-extensions.js';
import { payloadType, sequenceNumber, ssrc } from '../rtp/packet.js';
import { clockRate } from '../../sdp/codecs.js';
import type { PublishedTrack } from '../../sdp/negotiation.js';
import { GapTimestamps } from './gap-timestamps.js';
import { ReceiveStream } from './receive-stream.js';
import type { RtpEncoding } from './rtp-encoding.js';
import { SsrcProbation } from './ssrc-probation.js';

/** The packets of one SSRC, and the encoding that they belong to. */
export interface Receiver {
  readonly track: PublishedTrack;
  readonly encoding: RtpEncoding;
  readonly stream: ReceiveStream;
  /** Of audio with redundancy. */
  readonly gaps: GapTimestamps | undefined;
  /** For an RTX stream: payload type and SSRC of the packets that it repeats. */
  readonly original: { readonly payloadType: number; readonly ssrc: number } | undefined;
  /** Of other SSRCs for the encoding. */
  readonly probation: SsrcProbation;
  /** The last packet, if it is delivered only when the next one follows it. */
  held: Buffer | undefined;
}

/** An SSRC that begins, and the packets of it that are to be delivered. */
export interface FoundReceiver {
  readonly receiver: Receiver;
  readonly packets: readonly Buffer[];
}

/** SSRCs that were replaced: a late packet must not bring them back. A publisher who changes more often has no use for it. */
const REMEMBERED_SSRCS = 64;

/**
 * The SSRCs of one publisher: one for the media of each encoding, and one for its RTX, which comes second. The first
 * that the offer names counts at once; another one replaces it after a probation.
 */
export class Receivers {
  readonly #tracks: readonly PublishedTrack[];
  readonly #encodingsOf: (track: PublishedTrack) => readonly RtpEncoding[];
  /** By SSRC. */
  readonly #receivers = new Map<number, Receiver>();
  readonly #probations = new Map<RtpEncoding, SsrcProbation>();
  readonly #replaced = new Set<number>();
  /** Of SSRCs that were replaced. */
  #receivedBefore = 0;
  #lostBefore = 0;

  constructor(tracks: readonly PublishedTrack[], encodingsOf: (track: PublishedTrack) => readonly RtpEncoding[]) {
    this.#tracks = tracks;
    this.#encodingsOf = encodingsOf;
  }

  [Symbol.iterator](): Iterator<Receiver> {
    return this.#receivers.values();
  }

  get(ssrc: number): Receiver | undefined {
    return this.#receivers.get(ssrc);
  }

  mediaOf(encoding: RtpEncoding): Receiver | undefined {
    return this.#find(encoding, false);
  }

  /** Media packets in all, of every SSRC that there was. */
  get totals(): { readonly received: number; readonly lost: number } {
    let [received, lost] = [this.#receivedBefore, this.#lostBefore];
    for (const { stream, original } of this.#receivers.values()) {
      if (original) continue;
      received += stream.received;
      lost += stream.lost;
    }
    return { received, lost };
  }

  /**
   * Finds the encoding of an SSRC that has no receiver, by the offer or by the packet's rid.
   * @returns undefined: it belongs to none, or not yet
   */
  add(packet: Buffer, now: number): FoundReceiver | undefined {
    const type = payloadType(packet);
    for (const track of this.#tracks) {
      const isRtx = type === track.retransmission;
      if (!isRtx && type !== track.format.payloadType && type !== track.redundancy) continue;
      if (this.#replaced.has(ssrc(packet))) return undefined;
      const { index, isDeclared } = encodingOf(track, packet, isRtx);
      const encoding = index < 0 ? undefined : this.#encodingsOf(track)[index];
      if (!encoding) return undefined;
      return isRtx ? this.#addRtx(track, encoding, packet) : this.#addMedia(track, encoding, packet, isDeclared, now);
    }
    return undefined;
  }

  #addRtx(track: PublishedTrack, encoding: RtpEncoding, packet: Buffer): FoundReceiver | undefined {
    const media = this.mediaOf(encoding);
    if (!media || this.#find(encoding, true)) return undefined;
    const original = { payloadType: track.format.payloadType, ssrc: media.stream.ssrc };
    const stream = new ReceiveStream(ssrc(packet), clockRate(track.kind));
    return { receiver: this.#set({ ...media, stream, original, held: undefined }), packets: [packet] };
  }

  #addMedia(
    track: PublishedTrack,
    encoding: RtpEncoding,
    packet: Buffer,
    isDeclared: boolean,
    now: number,
  ): FoundReceiver | undefined {
    const current = this.mediaOf(encoding);
    const probation = this.#probationOf(encoding);
    const packets = [packet];
    if (current || !isDeclared) {
      const before = probation.onOther(ssrc(packet), sequenceNumber(packet), packet, now);
      if (!before) return undefined;
      packets.unshift(before);
    }
    if (current) this.#replace(current);
    const stream = new ReceiveStream(ssrc(packet), clockRate(track.kind), current?.stream.highest);
    const gaps = track.redundancy === undefined ? undefined : new GapTimestamps();
    const receiver = { track, encoding, stream, gaps, original: undefined, probation, held: undefined };
    return { receiver: this.#set(receiver), packets };
  }

  #replace({ encoding, stream }: Receiver): void {
    this.#receivedBefore += stream.received;
    this.#lostBefore += stream.lost;
    for (const [ssrc, receiver] of this.#receivers) {
      if (receiver.encoding !== encoding) continue;
      this.#receivers.delete(ssrc);
      this.#replaced.add(ssrc);
    }
    for (const oldest of this.#replaced) {
      if (this.#replaced.size <= REMEMBERED_SSRCS) break;
      this.#replaced.delete(oldest);
    }
  }

  #set(receiver: Receiver): Receiver {
    this.#receivers.set(receiver.stream.ssrc, receiver);
    return receiver;
  }

  #probationOf(encoding: RtpEncoding): SsrcProbation {
    const known = this.#probations.get(encoding) ?? new SsrcProbation();
    this.#probations.set(encoding, known);
    return known;
  }

  #find(encoding: RtpEncoding, isRtx: boolean): Receiver | undefined {
    for (const receiver of this.#receivers.values()) {
      if (receiver.encoding === encoding && (receiver.original !== undefined) === isRtx) return receiver;
    }
    return undefined;
  }
}

/**
 * The index of the track's encoding that a packet belongs to; -1: none.
 * @returns `isDeclared`: by rid or SSRC. Else the track has one encoding, and it must be this one
 */
function encodingOf(
  { encodings, extensions }: PublishedTrack,
  packet: Buffer,
  isRtx: boolean,
): { readonly index: number; readonly isDeclared: boolean } {
  const [first] = encodings;
  if (first?.rid !== undefined) {
    const rid = readRid(packet, isRtx ? extensions.repairedRid : extensions.rid);
    return { index: encodings.findIndex((encoding) => encoding.rid === rid), isDeclared: true };
  }
  // The offer declares neither rid nor SSRC: the track has one encoding.
  if (first?.ssrc === undefined) return { index: 0, isDeclared: true };
  const from = ssrc(packet);
  const index = encodings.findIndex((encoding) => (isRtx ? encoding.retransmissionSsrc : encoding.ssrc) === from);
  if (index >= 0 || encodings.length > 1) return { index, isDeclared: true };
  return { index: 0, isDeclared: false };
}

const readRid = (packet: Buffer, id: number | undefined): string | undefined =>
  id === undefined ? undefined : readTextExtension(packet, id);
