import type { VideoCodec } from '../../server/media/media-engine.js';
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

/** Sees when a viewer that decodes nothing could have shown its first picture: a keyframe is there, all of it. */
export class FirstPicture {
  readonly #info = emptyPayloadInfo();
  #timestamp: number | undefined;
  #first = 0;
  #last: number | undefined;
  readonly #numbers = new Set<number>();

  /**
   * @param packet RTP as `RtpPeer` receives it; it is not to be used any more
   * @returns whether it was the last one that was missing
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
