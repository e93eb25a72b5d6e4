import { ReceiveStream } from '../../server/media/embedded/producer/receive-stream.js';
import { nack, pictureLossIndication } from '../../server/media/embedded/rtcp/rtcp.js';
import {
  payloadEnd,
  payloadStart,
  payloadType,
  sequenceNumber,
  ssrc,
  timestamp,
  withoutHeaderExtension,
} from '../../server/media/embedded/rtp/packet.js';
import { emptyPayloadInfo } from '../../server/media/embedded/rtp/payload-info.js';
import { readPayload } from '../../server/media/embedded/rtp/payload.js';
import { PAYLOAD_TYPES } from '../../test/support/media/offer.js';

const OUR_SSRC = 1;
const MARKER = 0x80;
/** The original sequence number in front of an RTX payload (RFC 4588). */
const OSN_BYTES = 2;
/** As in libwebrtc: without a picture to decode for this long, a receiver asks for a keyframe, … */
const NO_PICTURE_MS = 3_000;
/** … and repeats that while it waits for one. */
const NO_KEYFRAME_MS = 200;
/** Packets before this many are forgotten. */
const REMEMBERED = 2_000;

interface Packet {
  readonly timestamp: number;
  readonly endsFrame: boolean;
}

/**
 * Receives VP8 as a browser does, without decoding it: requests lost packets, decodes frames in the order of their
 * packets, and asks for a keyframe where it cannot go on.
 */
export class BrowserReceiver {
  readonly #send: (rtcp: Buffer) => void;
  readonly #info = emptyPayloadInfo();
  readonly #packets = new Map<number, Packet>();
  #stream: ReceiveStream | undefined;
  /** The next packet to decode. Undefined: a keyframe is needed. */
  #next: number | undefined;
  /** The first packet of the newest keyframe. */
  #keyframe: { readonly first: number; readonly timestamp: number } | undefined;
  #decodedAt = 0;
  #requestedAt = -Infinity;
  frames = 0;
  keyframeRequests = 0;

  constructor(send: (rtcp: Buffer) => void) {
    this.#send = send;
  }

  /** @param packet RTP or RTX; it is not kept */
  receive(packet: Buffer, now: number): void {
    const media = payloadType(packet) === PAYLOAD_TYPES.vp8 ? withoutHeaderExtension(packet) : unwrap(packet);
    if (!media) return;
    if (!this.#stream) {
      // RTX alone does not name the SSRC.
      if (media !== packet && payloadType(packet) !== PAYLOAD_TYPES.vp8) return;
      this.#stream = new ReceiveStream(ssrc(packet), 90_000);
      this.#decodedAt = now;
    }
    const sequence = this.#stream.receive(sequenceNumber(media), timestamp(media), now);
    if (sequence === undefined) return;
    readPayload('vp8', media, this.#info);
    const endsFrame = (media[1]! & MARKER) !== 0;
    this.#packets.set(sequence, { timestamp: timestamp(media), endsFrame });
    this.#packets.delete(sequence - REMEMBERED);
    if (this.#info.startsKeyframe) this.#keyframe = { first: sequence, timestamp: timestamp(media) };
    this.#startWithKeyframe();
    this.#decode(now);
    if (this.#stream.hasMissing) this.#requestMissing(now);
  }

  /** Call it often: sends the requests that are due. */
  tick(now: number): void {
    if (!this.#stream) return;
    this.#requestMissing(now);
    if (this.#next !== undefined && now - this.#decodedAt > NO_PICTURE_MS) this.#next = undefined;
    if (this.#next !== undefined || now - Math.max(this.#requestedAt, this.#decodedAt) < NO_KEYFRAME_MS) return;
    this.#requestedAt = now;
    this.keyframeRequests++;
    this.#send(pictureLossIndication(OUR_SSRC, this.#stream.ssrc));
  }

  #requestMissing(now: number): void {
    const missing = this.#stream!.takeNackList(now);
    if (missing.length) this.#send(nack(OUR_SSRC, this.#stream!.ssrc, missing));
  }

  /** A complete keyframe is decoded, whatever is missing before it. */
  #startWithKeyframe(): void {
    if (!this.#keyframe || (this.#next ?? 0) > this.#keyframe.first) return;
    for (let sequence = this.#keyframe.first; ; sequence++) {
      const packet = this.#packets.get(sequence);
      if (packet?.timestamp !== this.#keyframe.timestamp) return;
      if (packet.endsFrame) break;
    }
    this.#next = this.#keyframe.first;
  }

  #decode(now: number): void {
    if (this.#next === undefined) return;
    for (let packet; (packet = this.#packets.get(this.#next)); this.#next++) {
      this.#packets.delete(this.#next);
      if (!packet.endsFrame) continue;
      this.frames++;
      this.#decodedAt = now;
    }
  }
}

/** @returns undefined: it is padding */
function unwrap(packet: Buffer): Buffer | undefined {
  const start = payloadStart(packet);
  if (payloadEnd(packet) - start <= OSN_BYTES) return undefined;
  const media = Buffer.concat([packet.subarray(0, 12), packet.subarray(start + OSN_BYTES, payloadEnd(packet))]);
  media[0] = 0x80;
  packet.copy(media, 2, start, start + OSN_BYTES);
  return media;
}
