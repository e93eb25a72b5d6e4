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
import { clusterOf, type Block } from '../matroska/cluster.js';
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

/** What a finished MP4 file says of them. */
export async function decoderConfigsOfMp4(file: string): Promise<DecoderConfigs> {
  return configsIn(new Input({ source: new FilePathSource(file), formats: [MP4] }));
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
