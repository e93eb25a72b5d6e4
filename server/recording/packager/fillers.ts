import { nalUnitsOf } from '../../media/embedded/frames/h264-nal-units.js';
import type { PlaylistCodec } from '../packager.js';
import type { Block } from '../matroska/cluster.js';
import { avcConfigurationOf, withLengths } from '../matroska/h264-in-file.js';
import { decoderConfigsOf } from './decoder-configs.js';
import { withKeyframe, type SegmentMedia } from './segment-media.js';

/** A black picture of 160 by 90, as encoders send a keyframe. */
const BLACK: Readonly<Record<PlaylistCodec, string>> = {
  h264:
    'AAAAAWdCwArZgo35MBEAAAMAAQAAAwACDxImaAAAAAFoyWA5LIAAAAFliIQ/JigACBjfffffffffXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX' +
    'XXXXXXXXXXXXXXXXXXg=',
  vp9: 'gkmDQgAJ8AWWADgkHBlOAAAwYAAAZz//+J0k7uM+GT4A',
  av1: 'CgoAAAADtP2Ta+YBMhIQAJ4AAACwAACAAcV9EzwrLnI=',
};
const BLACK_SIZE = { width: 160, height: 90 } as const;

/** One frame of Opus that decodes to silence in stereo (RFC 6716): CELT of 20 ms, and no energy. */
const SILENCE = Buffer.of(0xfc, 0xff, 0xfe);
const SILENCE_MS = 20;
const OPUS = { codec: 'opus' } as const;

/** What an initialization segment says of a part with sound alone. @param codec of the black picture */
export async function blackStart(codec: PlaylistCodec): Promise<SegmentMedia> {
  const data = Buffer.from(BLACK[codec], 'base64');
  const isH264 = codec === 'h264';
  const codecPrivate = isH264 ? avcConfigurationOf(nalUnitsOf(data)) : undefined;
  const keyframe = {
    kind: 'video',
    timestampMs: 0,
    isKeyframe: true,
    data: isH264 ? withLengths(data) : data,
  } as const;
  const blocks = [keyframe, ...silence(0, SILENCE_MS)];
  const configs = await decoderConfigsOf({ video: { codec, ...BLACK_SIZE, codecPrivate }, audio: OPUS }, blocks);
  return { codec, configs, blocks };
}

/** Sound alone, with a black picture. */
export async function withBlack({ blocks }: SegmentMedia, codec: PlaylistCodec): Promise<SegmentMedia> {
  const start = await blackStart(codec);
  return { ...start, blocks: withKeyframe(start.blocks[0]!, blocks) };
}

/** Pictures without sound, with silence up to `endMs`. Media with sound, or without pictures, stay as they are. */
export async function withSilence(media: SegmentMedia, endMs: number): Promise<SegmentMedia> {
  const { codec, configs, blocks } = media;
  const [first] = blocks;
  if (!codec || !first || blocks.some(({ kind }) => kind === 'audio')) return media;
  const sound = silence(first.timestampMs, endMs);
  const { audio } = configs.audio ? configs : await decoderConfigsOf({ video: undefined, audio: OPUS }, sound);
  return { codec, configs: { video: configs.video, audio }, blocks: inOrder(blocks, sound) };
}

/** At least one packet, so that there is a track. */
function silence(fromMs: number, toMs: number): Block[] {
  const packets = Math.max(1, Math.floor((toMs - fromMs) / SILENCE_MS));
  return Array.from({ length: packets }, (_, index) => ({
    kind: 'audio',
    timestampMs: fromMs + index * SILENCE_MS,
    isKeyframe: true,
    data: SILENCE,
  }));
}

/** Frames of each kind stay in their order. */
const inOrder = (...tracks: readonly (readonly Block[])[]): Block[] =>
  tracks.flat().toSorted((one, other) => one.timestampMs - other.timestampMs);
