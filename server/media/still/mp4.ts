import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import type { Keyframe, VideoCodec } from '../engine/media-track.js';

const NAMES = { h264: 'avc', vp9: 'vp9', av1: 'av1' } as const;
/** Any duration would do: the picture stays. */
const SECONDS = 1;

type Mp4Codec = keyof typeof NAMES;

/** An MP4 file with one frame. MP4 has no VP8. */
export async function mp4Of({ codec, data, width, height }: Keyframe): Promise<Buffer> {
  if (!isMp4Codec(codec)) throw new TypeError(`MP4 has no ${codec}`);
  const source = new EncodedVideoPacketSource(NAMES[codec]);
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() });
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = { codec: CODEC_STRINGS[codec](data), codedWidth: width, codedHeight: height };
  await source.add(new EncodedPacket(data, 'key', 0, SECONDS), { decoderConfig });
  await output.finalize();
  return Buffer.from(output.target.buffer!);
}

const isMp4Codec = (codec: VideoCodec): codec is Mp4Codec => Object.hasOwn(NAMES, codec);

/**
 * The codec of a frame as RFC 6381 writes it. Decoders take the size from the frame, so that the level may be any; the
 * profile is that of the frame.
 */
const CODEC_STRINGS: Readonly<Record<Mp4Codec, (frame: Buffer) => string>> = {
  // From the sequence parameter set: profile, constraints and level.
  h264(frame) {
    const at = frame.findIndex((_, index) => isStartOfParameters(frame, index));
    return `avc1.${frame.subarray(at + 4, at + 7).toString('hex')}`;
  },
  // VP9 section 6.2: two bits for the marker, then the low and the high bit of the profile. Profiles 2 and 3 have 10 bits.
  vp9(frame) {
    const profile = ((frame[0]! >> 5) & 1) | ((frame[0]! >> 3) & 2);
    // 4:2:0, and colours as the frame itself says: the short form would mean those of BT.709, which WebRTC does not send.
    return `vp09.0${profile}.40.${profile > 1 ? '10' : '08'}.01.02.02.02.00`;
  },
  // The browsers and encoders of WebRTC send the main profile with 8 bits.
  av1: () => 'av01.0.08M.08',
};

function isStartOfParameters(frame: Buffer, at: number): boolean {
  return frame[at] === 0 && frame[at + 1] === 0 && frame[at + 2] === 1 && (frame[at + 3]! & 0x1f) === 7;
}
