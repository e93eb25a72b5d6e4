import {
  BufferSource,
  FilePathSource,
  Input,
  MATROSKA,
  MP4,
  WEBM,
  type AudioTrackMetadata,
  type Source,
  type VideoTrackMetadata,
} from 'mediabunny';
import { nalUnitsWithLengths } from '../../media/embedded/frames/h264-nal-units.js';
import { pictureSizeOf } from '../../media/embedded/frames/picture-size.js';
import { clusterOf, type Block } from '../matroska/cluster.js';
import type { PlaylistCodec } from '../packager.js';
import { avcConfigurationOf } from '../matroska/h264-in-file.js';
import { headerOf, type Tracks } from '../matroska/header.js';

export interface DecoderConfigs {
  readonly video: NonNullable<VideoTrackMetadata['decoderConfig']> | undefined;
  readonly audio: NonNullable<AudioTrackMetadata['decoderConfig']> | undefined;
}

/** What MP4 says of the codecs: profile, level and colours, from the first keyframe. */
export async function decoderConfigsOf(tracks: Tracks, firstBlocks: readonly Block[]): Promise<DecoderConfigs> {
  const input = new Input({
    source: new BufferSource(Buffer.concat([headerOf(tracks), clusterOf(firstBlocks)])),
    formats: [MATROSKA, WEBM],
  });
  return configsIn(input);
}

/**
 * The tracks with the size of the first picture in these blocks: the file may have another in its header. H.264 changes
 * its parameter sets with the size.
 */
export function tracksWithSizeOf(blocks: readonly Block[], { video, audio }: Tracks): Tracks {
  const keyframe = blocks.find(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
  const size = video && keyframe && pictureSizeOf(video.codec, keyframe.data);
  if (!size) return { video, audio };
  const { codec } = video;
  const parameters = codec === 'h264' ? avcConfigurationOf(nalUnitsWithLengths(keyframe.data)) : undefined;
  return { video: { codec, ...size, codecPrivate: parameters ?? video.codecPrivate }, audio };
}

/** What a finished MP4 file says of them. */
export async function decoderConfigsOfMp4(file: string): Promise<DecoderConfigs> {
  return configsIn(new Input({ source: new FilePathSource(file), formats: [MP4] }));
}

/** As a part has them in its header. */
export function tracksOfConfigs({ video, audio }: DecoderConfigs): Tracks {
  const codec = codecOf(video?.codec);
  const { codedWidth: width = 0, codedHeight: height = 0, description } = video ?? {};
  const codecPrivate = description && Buffer.from(description as Uint8Array);
  return { video: codec && { codec, width, height, codecPrivate }, audio: audio && { codec: 'opus' } };
}

function codecOf(name = ''): PlaylistCodec | undefined {
  if (name.startsWith('avc')) return 'h264';
  if (name.startsWith('vp09')) return 'vp9';
  return name.startsWith('av01') ? 'av1' : undefined;
}

async function configsIn(input: Input<Source>): Promise<DecoderConfigs> {
  try {
    const [video, audio] = await Promise.all([input.getPrimaryVideoTrack(), input.getPrimaryAudioTrack()]);
    return {
      video: (await video?.getDecoderConfig()) ?? undefined,
      audio: (await audio?.getDecoderConfig()) ?? undefined,
    };
  } finally {
    input.dispose();
  }
}
