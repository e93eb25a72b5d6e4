import type { VideoCodec } from '../../engine/media-track.js';
import { av1FrameOf } from './av1-frame.js';
import { h264FrameOf } from './h264-frame.js';

/**
 * Puts one frame together.
 * @param payloads the payloads of its packets in order, each without its payload descriptor
 * @returns the frame as `Keyframe.data`; undefined: the payloads are invalid
 */
export function frameOf(codec: VideoCodec, payloads: readonly Buffer[]): Buffer | undefined {
  switch (codec) {
    case 'h264':
      return h264FrameOf(payloads);
    case 'av1':
      return av1FrameOf(payloads);
    default:
      return Buffer.concat(payloads);
  }
}
