import type { VideoCodec } from '../../server/media/engine/media-track.js';
import {
  payloadType,
  sequenceNumber,
  timestamp,
  withoutHeaderExtension,
} from '../../server/media/embedded/rtp/packet.js';
import { emptyPayloadInfo } from '../../server/media/embedded/rtp/payload-info.js';
import { readPayload } from '../../server/media/embedded/rtp/payload.js';
import { PAYLOAD_TYPES } from '../../test/support/media/offer.js';

const MARKER = 0x80;
const CODECS = new Map(
  (['vp8', 'h264', 'vp9', 'av1'] as const).map((codec): [number, VideoCodec] => [PAYLOAD_TYPES[codec], codec]),
);

/** Detects when a viewer that does not decode has received its first complete keyframe. */
export class FirstPicture {
  readonly #info = emptyPayloadInfo();
  #timestamp: number | undefined;
  #first = 0;
  #last: number | undefined;
  readonly #numbers = new Set<number>();

  /**
   * @param packet RTP as `RtpPeer` receives it. The buffer is changed, and must not be used afterwards.
   * @returns whether this packet completes the keyframe
   */
  completes(packet: Buffer): boolean {
    const codec = CODECS.get(payloadType(packet));
    if (!codec) return false;
    const media = withoutHeaderExtension(packet);
    const [number, time] = [sequenceNumber(media), timestamp(media)];
    readPayload(codec, media, this.#info);
    if (this.#timestamp === undefined && this.#info.startsKeyframe) {
      this.#timestamp = time;
      this.#first = number;
    }
    if (time !== this.#timestamp) return false;
    this.#numbers.add(number);
    if (media[1]! & MARKER) this.#last = number;
    return this.#last !== undefined && this.#numbers.size === ((this.#last - this.#first) & 0xffff) + 1;
  }
}
