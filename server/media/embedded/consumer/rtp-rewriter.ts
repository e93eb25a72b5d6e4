import type { MediaPacket } from '../producer/media-packet.js';
import { sequenceDistance, setPayloadType, setSequenceNumber, setSsrc, setTimestamp } from '../rtp/packet.js';
import { FrameNumberRewriter } from '../rtp/frame-number-rewriter.js';
import { PictureIdRewriter } from '../rtp/picture-id-rewriter.js';
import { SequenceRewriter } from '../rtp/sequence-rewriter.js';
import { TimestampRewriter, type MediaClock } from '../rtp/timestamp-rewriter.js';
import type { Format } from '../../sdp/codecs.js';

/**
 * Rewrites packets of one encoding after another into a single RTP stream: one SSRC, and sequence numbers, timestamps
 * and picture ids without a break.
 *
 *     rewriter.endEncoding(before.senderReport);                         // another encoding takes over
 *     rewriter.startEncoding(media, format, senderReport, now);          // with its first packet
 *     const sequence = rewriter.sequenceOf(media);                       // each packet
 *     if (sequence !== undefined && rewriter.write(packet, sequence, media)) rewriter.onSent(sequence, media, now);
 */
export class RtpRewriter {
  readonly #ssrc: number;
  readonly #sequences = new SequenceRewriter();
  readonly #timestamps: TimestampRewriter;
  readonly #pictureIds = new PictureIdRewriter();
  readonly #frameNumbers = new FrameNumberRewriter();
  #payloadType = 0;
  #isVp8 = false;

  /** @param clockRate in Hz */
  constructor(ssrc: number, clockRate: number) {
    this.#ssrc = ssrc;
    this.#timestamps = new TimestampRewriter(clockRate);
  }

  /** When the last packet was sent. Undefined: none was. */
  get lastSentAt(): number | undefined {
    return this.#timestamps.lastSentAt;
  }

  /** The highest sequence number given so far, extended. Undefined: none was given. */
  get newestSequence(): number | undefined {
    return this.#sequences.newest;
  }

  /** The newest timestamp that was sent; 0: none was. */
  get newestTimestamp(): number {
    return this.#timestamps.newest;
  }

  /** @param clock of the encoding that is replaced */
  endEncoding(clock: MediaClock | undefined): void {
    this.#timestamps.endSource(clock);
  }

  /**
   * @param media the first packet of the new encoding
   * @param format the encoding's format as the receiver numbers it
   */
  startEncoding(media: MediaPacket, format: Format, clock: MediaClock | undefined, now: number): void {
    this.#payloadType = format.payloadType;
    this.#isVp8 = format.codec === 'vp8';
    this.#sequences.startSource(media.sequence);
    this.#timestamps.startSource(media.timestamp, clock, now);
    this.#pictureIds.startSource(media.payload);
    this.#frameNumbers.startSource(media.payload.frameNumber);
  }

  /** Whether the encoding jumped: call `resumeEncoding` before anything else with this packet. */
  isDiscontinuity({ sequence }: MediaPacket): boolean {
    return this.#sequences.isJump(sequence);
  }

  /** The encoding goes on with other numbers, timestamps and picture ids. @param media the first packet after the jump */
  resumeEncoding(media: MediaPacket, now: number): void {
    this.#timestamps.resume(media.timestamp, now);
    this.#pictureIds.resume(media.payload);
    this.#frameNumbers.startSource(media.payload.frameNumber);
  }

  /** The extended sequence number to send the packet with. Undefined: the packet is too old to be sent. */
  sequenceOf({ sequence }: MediaPacket): number | undefined {
    return this.#sequences.rewrite(sequence);
  }

  /** The source's extended sequence number of a packet that was sent. Undefined: it is not remembered. */
  originalOf(sequence: number): number | undefined {
    return this.#sequences.originalOf(sequence);
  }

  /** Extends a 16-bit sequence number that the receiver sent in a report. */
  extend(sequence: number): number {
    const newest = this.#sequences.newest ?? 0;
    return newest + sequenceDistance(sequence, newest & 0xffff);
  }

  /** The frame number to send the packet's dependency descriptor with. */
  frameNumberOf({ payload }: MediaPacket): number {
    return this.#frameNumbers.rewrite(payload.frameNumber);
  }

  timestampOf(timestamp: number): number {
    return this.#timestamps.rewrite(timestamp);
  }

  /**
   * Rewrites a copy of the packet in place. The copy may have a header extension that `media.packet` has not.
   * @returns false if the receiver already has a later picture
   */
  write(copy: Buffer, sequence: number, media: MediaPacket): boolean {
    this.writeHeader(copy, sequence, media);
    if (media.payload.pictureIdAt < 0) return true;
    const isNewest = this.#sequences.isNewest(media.sequence);
    return this.#pictureIds.rewrite(copy, copy.length - media.packet.length + media.payloadAt, media.payload, isNewest);
  }

  writeHeader(copy: Buffer, sequence: number, { timestamp }: MediaPacket): void {
    setPayloadType(copy, this.#payloadType);
    setSequenceNumber(copy, sequence & 0xffff);
    setTimestamp(copy, this.#timestamps.rewrite(timestamp));
    setSsrc(copy, this.#ssrc);
  }

  /** Call for each packet that was sent, in the order of sending. */
  onSent(sequence: number, { timestamp }: MediaPacket, now: number): void {
    if (sequence === this.#sequences.newest) this.#timestamps.onSent(this.#timestamps.rewrite(timestamp), now);
  }

  /**
   * Leaves the packet out without a gap in the sequence numbers.
   * @returns false if a later packet was sent already: the receiver waits for this sequence number
   */
  drop({ sequence, payload }: MediaPacket): boolean {
    // VP8 decoders take a gap in the picture ids for a lost picture. VP9 decoders rely on the original pattern of ids.
    if (this.#isVp8) this.#pictureIds.drop(payload, this.#sequences.isNewest(sequence));
    return this.#sequences.drop(sequence);
  }
}
