import type { VideoCodec } from '../../media/media-engine.js';
import type { Block } from '../matroska/cluster.js';
import type { DecoderConfigs } from './decoder-configs.js';

/** What segments are made of: a part, or a finished file. */
export interface SegmentMedia {
  readonly codec: VideoCodec | undefined;
  readonly configs: DecoderConfigs;
  /** At least one block. */
  readonly blocks: readonly Block[];
}
