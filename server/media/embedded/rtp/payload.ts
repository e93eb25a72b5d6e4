import type { VideoCodec } from '../../media-engine.js';
import { readAv1 } from './av1.js';
import { readH264 } from './h264.js';
import { payloadEnd, payloadStart } from './packet.js';
import { readVp8 } from './vp8.js';
import { readVp9 } from './vp9.js';

/**
 * What a video packet's payload says of itself. One object serves many packets, as they come in hundreds a second:
 * whoever keeps something of it copies it.
 */
export interface PayloadInfo {
  /** A decoder that knows nothing yet can start here: the first of a keyframe, or of the parameter sets before one. */
  startsKeyframe: boolean;
  /** The first packet of a frame; of one spatial layer's, where there are several. */
  startsFrame: boolean;
  /** The last packet of a frame of one spatial layer. Only VP9 says so. */
  endsFrame: boolean;
  /** -1: it has no layers of that dimension. */
  spatialId: number;
  temporalId: number;
  /** Whether it builds on the lowest temporal layer alone, so that who has no more can go up to its layer here. */
  isLayerSync: boolean;
  /** Whether nothing that follows in a higher temporal layer builds on what came before this. */
  isSwitchingPoint: boolean;
  /** Where in the payload the picture id is, and how many bits it has; -1 and 0 where there is none. */
  pictureIdAt: number;
  pictureIdBits: number;
  pictureId: number;
  /** Where in the payload TL0PICIDX is; -1 where there is none. */
  baseLayerIndexAt: number;
  /** Of keyframes, by spatial layer, as far as they say. */
  readonly sizes: FrameSize[];
}

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

export function emptyPayloadInfo(): PayloadInfo {
  return {
    startsKeyframe: false,
    startsFrame: false,
    endsFrame: false,
    spatialId: -1,
    temporalId: -1,
    isLayerSync: false,
    isSwitchingPoint: false,
    pictureIdAt: -1,
    pictureIdBits: 0,
    pictureId: 0,
    baseLayerIndexAt: -1,
    sizes: [],
  };
}

/** @param start where the payload begins in the packet; @param end where it ends: nothing beyond is looked at */
export type PayloadReader = (packet: Uint8Array, start: number, end: number, info: PayloadInfo) => void;

const readers: Record<VideoCodec, PayloadReader> = { vp8: readVp8, h264: readH264, vp9: readVp9, av1: readAv1 };

/** Reads valid RTP without a header extension into `info`, whatever was in it. Never throws. */
export function readPayload(codec: VideoCodec, packet: Uint8Array, info: PayloadInfo): void {
  info.startsKeyframe = info.startsFrame = info.endsFrame = false;
  info.isLayerSync = info.isSwitchingPoint = false;
  info.spatialId = info.temporalId = info.pictureIdAt = info.baseLayerIndexAt = -1;
  info.pictureIdBits = info.pictureId = 0;
  if (info.sizes.length) info.sizes.length = 0;
  const start = payloadStart(packet);
  const end = payloadEnd(packet);
  if (start < end) readers[codec](packet, start, end, info);
}
