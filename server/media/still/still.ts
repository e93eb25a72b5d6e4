import type { Keyframe } from '../engine/media-track.js';

/** `image/webp` of VP8. Of the other codecs `video/mp4`, with one frame: browsers show it in a `<video>`. */
export type StillType = 'image/webp' | 'video/mp4';

/** A picture of a live stream, as a file. */
export interface Still {
  readonly type: StillType;
  readonly bytes: Buffer;
}

/** A keyframe as a file that browsers show. Nothing is decoded, so it costs next to nothing. */
export async function stillOf(keyframe: Keyframe): Promise<Still> {
  if (keyframe.codec === 'vp8') return { type: 'image/webp', bytes: webpOf(keyframe.data) };
  // Loaded when it is needed: most streams are VP8.
  const { mp4Of } = await import('./mp4.js');
  return { type: 'video/mp4', bytes: await mp4Of(keyframe) };
}

/** A WebP image is a VP8 keyframe in a RIFF file (RFC 9649 section 2.5). */
function webpOf(frame: Buffer): Buffer {
  const chunk = Buffer.from('VP8 \0\0\0\0', 'latin1');
  chunk.writeUInt32LE(frame.length, 4);
  const padding = Buffer.alloc(frame.length % 2);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + chunk.length + frame.length + padding.length, 4);
  return Buffer.concat([head, chunk, frame, padding]);
}
