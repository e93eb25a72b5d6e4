import { BitReader } from '../../../bit-reader.js';
import type { VideoCodec } from '../../engine/media-track.js';
import { nalUnitsWithLengths } from './h264-nal-units.js';
import { leb128, sequenceHeaderSize } from '../rtp/av1.js';
import { parameterSetSize } from '../rtp/h264.js';
import type { FrameSize } from '../rtp/payload-info.js';
import { frameHeaderSize } from '../rtp/vp9.js';

const H264_PARAMETERS = 7;
const AV1_SEQUENCE_HEADER = 1;

/**
 * The size of the picture as a keyframe in a file says. Of VP9 with spatial layers: of the lowest.
 * @param keyframe H.264: with lengths of four bytes instead of start codes
 * @returns undefined: it does not say; so always for VP8
 */
export function pictureSizeOf(codec: VideoCodec, keyframe: Buffer): FrameSize | undefined {
  if (codec === 'h264') return h264Size(keyframe);
  if (codec === 'vp9') return frameHeaderSize(new BitReader(keyframe, 0, keyframe.length));
  return codec === 'av1' ? av1Size(keyframe) : undefined;
}

function h264Size(keyframe: Buffer): FrameSize | undefined {
  const parameters = nalUnitsWithLengths(keyframe).find(([header]) => (header! & 0x1f) === H264_PARAMETERS);
  return parameters && parameterSetSize(parameters, 1, parameters.length);
}

/** AV1 section 5.3: each unit with its size, as files have it. */
function av1Size(keyframe: Buffer): FrameSize | undefined {
  for (let at = 0; at < keyframe.length;) {
    const header = keyframe[at]!;
    const sizeAt = at + (header & 0x04 ? 2 : 1);
    const hasSize = (header & 0x02) !== 0;
    const [size, dataAt] = hasSize ? leb128(keyframe, sizeAt, keyframe.length) : [keyframe.length - sizeAt, sizeAt];
    const end = Math.min(dataAt + size, keyframe.length);
    if (((header >> 3) & 0x0f) === AV1_SEQUENCE_HEADER) return sequenceHeaderSize(new BitReader(keyframe, dataAt, end));
    at = dataAt + size;
  }
  return undefined;
}
