import type { VideoCodec } from '../../engine/media-track.js';
import { readAv1 } from './av1.js';
import { readH264 } from './h264.js';
import { payloadEnd, payloadStart } from './packet.js';
import type { PayloadInfo } from './payload-info.js';
import { readVp8 } from './vp8.js';
import { readVp9 } from './vp9.js';

/** @param start offset of the payload in the packet. @param end offset of its end: nothing after it is read */
export type PayloadReader = (packet: Uint8Array, start: number, end: number, info: PayloadInfo) => void;

const READERS: Record<VideoCodec, PayloadReader> = { vp8: readVp8, h264: readH264, vp9: readVp9, av1: readAv1 };

/** Reads valid RTP without a header extension into `info`, and resets its previous values. Never throws. */
export function readPayload(codec: VideoCodec, packet: Uint8Array, info: PayloadInfo): void {
  info.dataAt = 0;
  info.startsKeyframe = info.startsFrame = info.endsFrame = false;
  info.isLayerSync = info.isSwitchingPoint = false;
  info.spatialId = info.temporalId = info.pictureIdAt = info.baseLayerIndexAt = -1;
  info.frameNumber = -1;
  info.pictureIdBits = info.pictureId = info.baseLayerIndex = 0;
  if (info.sizes.length) info.sizes.length = 0;
  const start = payloadStart(packet);
  const end = payloadEnd(packet);
  if (start < end) READERS[codec](packet, start, end, info);
}
