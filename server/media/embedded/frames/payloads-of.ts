import type { VideoCodec } from '../../engine/media-track.js';
import { av1PayloadsOf } from './av1-payloads.js';
import { h264PayloadsOf } from './h264-payloads.js';
import type { FrameToSend } from './frame-to-send.js';
import { vp8PayloadsOf, vp9PayloadsOf } from './vpx-payloads.js';

/** RTP payloads of 1,200 bytes fit in every network, with all headers and encryption. */
const MAX_PAYLOAD = 1_200;

/** Splits one frame into the payloads of its packets: the reverse of `frameOf`. Empty: the frame has nothing to send. */
export function payloadsOf(codec: VideoCodec, frame: FrameToSend, most = MAX_PAYLOAD): readonly Buffer[] {
  switch (codec) {
    case 'h264':
      return h264PayloadsOf(frame, most);
    case 'av1':
      return av1PayloadsOf(frame, most);
    case 'vp9':
      return vp9PayloadsOf(frame, most);
    case 'vp8':
      return vp8PayloadsOf(frame, most);
  }
}
