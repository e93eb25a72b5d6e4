import type { VideoCodec } from '../../../server/media/engine/media-track.js';
import { BitWriter } from './bit-writer.js';

/** The first bytes of a keyframe's payload: what tells the size of its picture. */
export function sizedKeyframe(codec: VideoCodec, { width, height }: { width: number; height: number }): Buffer {
  switch (codec) {
    case 'vp8':
      return Buffer.from([0x10, 0x10, 0, 0, 0x9d, 0x01, 0x2a, width & 0xff, width >> 8, height & 0xff, height >> 8]);
    case 'vp9': {
      // Frame marker, profile, keyframe, sync code, colours, size (VP9 section 6.2).
      const header = new BitWriter().write(2, 2).write(0, 6).write(0x49_83_42, 24).write(1, 3).write(0, 1);
      return Buffer.concat([
        Buffer.from([0x08]),
        header
          .write(width - 1, 16)
          .write(height - 1, 16)
          .bytes(),
      ]);
    }
    case 'h264': {
      // A sequence parameter set of the baseline profile (H.264 section 7.3.2.1.1).
      const set = new BitWriter().write(66, 8).write(0xe0, 8).write(31, 8).expGolomb(0).expGolomb(0).expGolomb(2);
      set
        .expGolomb(1)
        .write(0, 1)
        .expGolomb(width / 16 - 1)
        .expGolomb(height / 16 - 1);
      return Buffer.concat([Buffer.from([0x67]), set.write(1, 1).write(1, 1).write(0, 2).write(1, 1).bytes()]);
    }
    case 'av1': {
      // A new sequence of one OBU, the header of a sequence (AV1 section 5.5.1).
      const header = new BitWriter().write(0, 5).write(0, 2).write(0, 5).write(0, 12).write(0, 5);
      header
        .write(15, 4)
        .write(15, 4)
        .write(width - 1, 16)
        .write(height - 1, 16);
      return Buffer.concat([Buffer.from([0x18, 0x08]), header.bytes()]);
    }
  }
}
