import type { VideoCodec } from '../../engine/media-track.js';
import { frameOf } from '../frames/frame-of.js';
import { isMarked, payloadEnd, payloadStart, timestamp } from '../rtp/packet.js';
import { emptyPayloadInfo } from '../rtp/payload-info.js';
import { readPayload } from '../rtp/payload.js';
import { vp9Superframe } from './vp9-superframe.js';

export interface AssembledFrame {
  /** As `Keyframe.data`, with all spatial layers. */
  readonly data: Buffer;
  readonly isKeyframe: boolean;
  /** Of RTP. */
  readonly timestamp: number;
  /** Of keyframes; 0: unknown, or not a keyframe. */
  readonly width: number;
  readonly height: number;
}

interface OpenFrame {
  readonly timestamp: number;
  /** VP9: of each spatial layer. Others: one entry. */
  readonly layers: Buffer[][];
  packets: number;
  isKeyframe: boolean;
  /** Its last packet arrived. */
  isComplete: boolean;
  width: number;
  height: number;
}

/** A keyframe of 4 MB, as many as an encoder over RTMP may send. */
const MAX_PACKETS = 4_096;

/** Makes frames of the packets of one video encoding. After a gap it leaves frames out until the next keyframe. */
export class FrameAssembler {
  readonly #codec: VideoCodec;
  readonly #onFrame: (frame: AssembledFrame) => void;
  readonly #onLost: () => void;
  readonly #payload = emptyPayloadInfo();
  #frame: OpenFrame | undefined;
  #needsKeyframe = true;

  /** @param onLost called for each frame that is left out */
  constructor(codec: VideoCodec, onFrame: (frame: AssembledFrame) => void, onLost: () => void) {
    this.#codec = codec;
    this.#onFrame = onFrame;
    this.#onLost = onLost;
  }

  /** Whether nothing can be decoded until a keyframe comes, and none has begun. */
  get needsKeyframe(): boolean {
    return this.#needsKeyframe && !this.#frame?.isKeyframe;
  }

  /** @param packet the next one in order: valid RTP without a header extension */
  push(packet: Buffer): void {
    const payload = this.#payload;
    readPayload(this.#codec, packet, payload);
    const data = packet.subarray(payloadStart(packet) + payload.dataAt, payloadEnd(packet));
    if (!data.length) return;
    const time = timestamp(packet);
    // Some senders mark each NAL unit of a frame as its last packet, so the next timestamp ends a frame.
    if (this.#frame && this.#frame.timestamp !== time) this.#finish();
    const frame = (this.#frame ??= {
      timestamp: time,
      layers: [],
      packets: 0,
      isKeyframe: false,
      isComplete: false,
      width: 0,
      height: 0,
    });
    // Its packets are not kept: it can only be lost.
    if (++frame.packets > MAX_PACKETS) return;
    const startsLayer = this.#codec === 'vp9' && payload.startsFrame;
    if (startsLayer || !frame.layers.length) frame.layers.push([]);
    frame.layers.at(-1)!.push(data);
    frame.isKeyframe ||= payload.startsKeyframe;
    const size = payload.sizes.at(-1);
    if (size) Object.assign(frame, size);
    if (isMarked(packet)) frame.isComplete = true;
  }

  /** Packets are missing before the next one. */
  gap(): void {
    this.end();
    this.#needsKeyframe = true;
  }

  /** Nothing more arrives. */
  end(): void {
    if (this.#frame?.isComplete) this.#finish();
    else if (this.#frame) this.#lose();
  }

  #finish(): void {
    const { layers, packets, isKeyframe, timestamp, width, height } = this.#frame!;
    if (this.#needsKeyframe && !isKeyframe) return this.#lose();
    if (packets > MAX_PACKETS) {
      this.#needsKeyframe = true;
      return this.#lose();
    }
    const frames = layers.map((payloads) => frameOf(this.#codec, payloads));
    if (!frames.every((frame) => frame !== undefined)) {
      this.#needsKeyframe = true;
      return this.#lose();
    }
    this.#frame = undefined;
    this.#needsKeyframe = false;
    this.#onFrame({ data: vp9Superframe(frames), isKeyframe, timestamp, width, height });
  }

  #lose(): void {
    this.#frame = undefined;
    this.#onLost();
  }
}
