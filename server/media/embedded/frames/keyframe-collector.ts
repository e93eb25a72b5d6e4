import type { Keyframe, VideoCodec } from '../../engine/media-track.js';
import type { MediaPacket, StartBurst } from '../producer/media-packet.js';
import type { EncodingSink, RtpEncoding } from '../producer/rtp-encoding.js';
import { isMarked, payloadEnd } from '../rtp/packet.js';
import type { FrameSize } from '../rtp/payload-info.js';
import { frameOf } from './frame-of.js';

/** A picture of this age is as good, and costs the publisher nothing. No network limits the number of packets. */
const BURST: StartBurst = { maxAgeMs: 2_000, maxPackets: Infinity };

/** A keyframe of 4 MB, as many as an encoder over RTMP may send. */
const MAX_PACKETS = 4_096;

/** The packets of a keyframe that arrived, in any order. */
interface Pending {
  readonly timestamp: number;
  /** By sequence number. */
  readonly payloads: Map<number, Buffer>;
  first: number;
  last: number | undefined;
  size: FrameSize | undefined;
}

/** Collects one keyframe of an encoding; of spatial layers the lowest. Add it as a sink. It removes itself at the end. */
export class KeyframeCollector implements EncodingSink {
  /** It sends nothing, so that the encoding begins with the newest keyframe. */
  readonly lastSentAt = undefined;
  readonly burst = BURST;
  readonly #encoding: RtpEncoding;
  readonly #onDone: (keyframe: Keyframe | undefined) => void;
  #pending: Pending | undefined;

  /** @param onDone undefined: the encoding ended */
  constructor(encoding: RtpEncoding, onDone: (keyframe: Keyframe | undefined) => void) {
    this.#encoding = encoding;
    this.#onDone = onDone;
  }

  forward(media: MediaPacket): boolean {
    const { sequence, timestamp, packet, payloadAt, payload } = media;
    if (payload.startsKeyframe && timestamp !== this.#pending?.timestamp) {
      this.#pending = { timestamp, payloads: new Map(), first: sequence, last: undefined, size: undefined };
    }
    const pending = this.#pending;
    if (timestamp !== pending?.timestamp || payload.spatialId > 0) return false;
    // Parameter sets that arrive after the picture are its start.
    if (payload.startsKeyframe) pending.first = Math.min(pending.first, sequence);
    pending.size ??= payload.sizes[0];
    if (pending.payloads.size === MAX_PACKETS) this.#pending = undefined;
    pending.payloads.set(sequence, packet.subarray(payloadAt + payload.dataAt, payloadEnd(packet)));
    if (payload.endsFrame || isMarked(packet)) pending.last = sequence;
    this.#finish(pending);
    return false;
  }

  onStart(): void {}

  sendSenderReport(): void {}

  onEnd(): void {
    this.#onDone(undefined);
  }

  #finish({ payloads, first, last, size }: Pending): void {
    // Counted first: senders could mark each packet as the last.
    if (last === undefined || !size || payloads.size < last - first + 1) return;
    const ordered: Buffer[] = [];
    for (let sequence = first; sequence <= last; sequence++) {
      const payload = payloads.get(sequence);
      if (!payload) return;
      ordered.push(payload);
    }
    const codec = this.#encoding.format.codec as VideoCodec;
    const data = frameOf(codec, ordered);
    // An invalid frame counts as one that was lost: another one may come.
    if (!data) {
      this.#pending = undefined;
      return;
    }
    this.#encoding.removeSink(this);
    this.#onDone({ codec, data, ...size });
  }
}
