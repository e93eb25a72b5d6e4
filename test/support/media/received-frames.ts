import { FrameAssembler, type AssembledFrame } from '../../../server/media/embedded/tap/frame-assembler.js';
import {
  isMarked,
  payloadEnd,
  payloadStart,
  payloadType,
  sequenceNumber,
  timestamp,
  withoutHeaderExtension,
} from '../../../server/media/embedded/rtp/packet.js';
import { emptyPayloadInfo } from '../../../server/media/embedded/rtp/payload-info.js';
import { readPayload } from '../../../server/media/embedded/rtp/payload.js';
import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import { PAYLOAD_TYPES } from './offer.js';
import { contentOf, type RecordedEncoder } from './recorded-encoder.js';

/** The frames of a viewer's video, which offered the usual payload types, on a path without loss. */
export class ReceivedFrames {
  readonly frames: AssembledFrame[] = [];
  /** Frames that were not complete, or came before a keyframe. */
  lost = 0;
  /** The temporal layers that came. -1: a frame in none. */
  readonly temporalIds = new Set<number>();
  /** The largest spatial layer of the last frame. -1: it has none. */
  spatialId = -1;
  /** How often another encoding began, and how often it began with no keyframe. */
  readonly switches = { all: 0, unusable: 0 };
  /** Gaps in the sequence numbers. */
  gaps = 0;
  readonly #codec: VideoCodec;
  readonly #assembler: FrameAssembler;
  readonly #payload = emptyPayloadInfo();
  readonly #contents: ReadonlyMap<string, number>;
  #encoding: number | undefined;
  #next: number | undefined;
  #spatialId = -1;
  #spatialIdOf = -1;

  /** @param encoder what sends them */
  constructor(encoder: RecordedEncoder) {
    const { codec } = encoder;
    this.#codec = codec;
    this.#contents = encoder.contents();
    this.#assembler = new FrameAssembler(
      codec,
      (frame) => this.frames.push(frame),
      () => (this.lost += 1),
    );
  }

  receive(received: Buffer): void {
    if (payloadType(received) !== PAYLOAD_TYPES[this.#codec]) return;
    const packet = withoutHeaderExtension(Buffer.from(received));
    const sequence = sequenceNumber(packet);
    if (this.#next !== undefined && sequence !== this.#next) {
      this.gaps += 1;
      this.#assembler.gap();
    }
    this.#next = (sequence + 1) & 0xffff;
    if (payloadStart(packet) === payloadEnd(packet)) return;
    this.#assembler.push(packet);
    readPayload(this.#codec, packet, this.#payload);
    this.#noteSwitch(this.#contents.get(contentOf(this.#codec, packet)));
    if (this.#payload.startsFrame) this.temporalIds.add(this.#payload.temporalId);
    if (this.#spatialIdOf !== timestamp(packet)) this.#spatialId = -1;
    this.#spatialIdOf = timestamp(packet);
    this.#spatialId = Math.max(this.#spatialId, this.#payload.spatialId);
    if (isMarked(packet)) this.spatialId = this.#spatialId;
  }

  #noteSwitch(encoding: number | undefined): void {
    if (encoding === undefined) return;
    if (this.#encoding !== undefined && encoding !== this.#encoding) {
      this.switches.all += 1;
      if (!this.#payload.startsKeyframe) this.switches.unusable += 1;
    }
    this.#encoding = encoding;
  }

  /** The height of the last keyframe. */
  get height(): number | undefined {
    return this.frames.findLast(({ isKeyframe }) => isKeyframe)?.height;
  }
}
