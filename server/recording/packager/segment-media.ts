import type { VideoCodec } from '../../media/engine/media-track.js';
import type { Block } from '../matroska/cluster.js';
import type { DecoderConfigs } from './decoder-configs.js';

/** What segments are made of: a part, or a finished file. */
export interface SegmentMedia {
  readonly codec: VideoCodec | undefined;
  readonly configs: DecoderConfigs;
  /** At least one block. */
  readonly blocks: readonly Block[];
}

/**
 * The blocks of a segment that begins with sound, with an earlier keyframe at its start: players need a picture at any
 * time. Without it they would stop, or leave the sound out. Pictures before the next keyframe cannot be decoded there.
 */
export function withKeyframe(keyframe: Block, blocks: readonly Block[]): readonly Block[] {
  const start = blocks.find(({ kind }) => kind === 'audio')?.timestampMs ?? 0;
  const next = blocks.find(
    ({ kind, isKeyframe, timestampMs }) => kind === 'video' && isKeyframe && timestampMs > start,
  );
  const playable = blocks.filter(
    ({ kind, timestampMs }) => kind === 'audio' || (next && timestampMs >= next.timestampMs),
  );
  return [{ ...keyframe, timestampMs: start }, ...playable];
}
