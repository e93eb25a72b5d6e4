import type { VideoCodec } from '../../media-engine.js';
import { payloadEnd, payloadStart } from './packet.js';

/**
 * Whether a decoder that knows nothing yet can start at this packet: it is the first of a keyframe, or of the
 * parameter sets before one. The packet is valid RTP without a header extension.
 */
export function startsKeyframe(codec: VideoCodec, packet: Uint8Array): boolean {
  const start = payloadStart(packet);
  const end = payloadEnd(packet);
  return start < end && readers[codec](packet, start, end);
}

const readers: Record<VideoCodec, (packet: Uint8Array, start: number, end: number) => boolean> = {
  vp8: startsVp8Keyframe,
  h264: startsH264Keyframe,
  vp9: startsVp9Keyframe,
  av1: startsAv1Sequence,
};

/** RFC 7741 section 4.2 and 4.3: first partition's start (S, PID 0), then the inverse key frame bit P. */
function startsVp8Keyframe(packet: Uint8Array, start: number, end: number): boolean {
  const descriptor = packet[start]!;
  if ((descriptor & 0x17) !== 0x10) return false;
  let at = start + 1;
  if (descriptor & 0x80) {
    const extension = packet[at++] ?? 0;
    if (extension & 0x80) at += (packet[at] ?? 0) & 0x80 ? 2 : 1;
    if (extension & 0x40) at++;
    if (extension & 0x30) at++;
  }
  return at < end && (packet[at]! & 1) === 0;
}

const H264_IDR = 5;
const H264_SPS = 7;
const H264_STAP_A = 24;
const H264_FU_A = 28;

/** RFC 6184 section 5: an IDR slice or a sequence parameter set, alone, aggregated or the first fragment. */
function startsH264Keyframe(packet: Uint8Array, start: number, end: number): boolean {
  const isStart = (unit: number) => (unit & 0x1f) === H264_IDR || (unit & 0x1f) === H264_SPS;
  const type = packet[start]! & 0x1f;
  if (type === H264_FU_A) return start + 1 < end && (packet[start + 1]! & 0x80) !== 0 && isStart(packet[start + 1]!);
  if (type !== H264_STAP_A) return isStart(packet[start]!);
  for (let at = start + 1; at + 2 < end; at += 2 + ((packet[at]! << 8) | packet[at + 1]!)) {
    if (isStart(packet[at + 2]!)) return true;
  }
  return false;
}

/** RFC 9628 section 4.2: the beginning (B) of a frame that predicts from none before (P clear), lowest spatial layer. */
function startsVp9Keyframe(packet: Uint8Array, start: number, end: number): boolean {
  const descriptor = packet[start]!;
  if ((descriptor & 0x48) !== 0x08) return false;
  if (!(descriptor & 0x20)) return true;
  let at = start + 1;
  if (descriptor & 0x80) at += (packet[at] ?? 0) & 0x80 ? 2 : 1;
  return at < end && ((packet[at]! >> 1) & 0x07) === 0;
}

/** AV1 RTP specification section 4.4: N says that a new coded video sequence begins. */
function startsAv1Sequence(packet: Uint8Array, start: number): boolean {
  return (packet[start]! & 0x08) !== 0;
}
