import type { SourceId, TapAddress, TapListener } from './media-engine.js';

export interface TapOptions {
  readonly stream: string;
  readonly sourceId: SourceId;
  /** A keyframe is requested this often, if the source sends none by itself. Absent: only after losses. */
  readonly keyframeEveryMs?: number | undefined;
}

export interface Tap {
  /** A second call does nothing. */
  close(): void;
}

export type OpenTap = (address: TapAddress, options: TapOptions, listener: TapListener) => Tap;
