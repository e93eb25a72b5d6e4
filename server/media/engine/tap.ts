import type { TapAddress } from './media-engine.js';
import type { SourceId, TrackKind, VideoCodec } from './media-track.js';

export interface TapTracks {
  readonly video: { readonly codec: VideoCodec } | undefined;
  readonly audio: { readonly codec: 'opus' } | undefined;
}

/** A frame that a source sent. Frames come complete and in order; what follows a lost frame is left out until the next keyframe. */
export interface TappedFrame {
  readonly kind: TrackKind;
  /** Video: as `Keyframe.data`, of the best encoding, with all its spatial layers. Audio: one Opus packet. */
  readonly data: Buffer;
  /** Audio: true. */
  readonly isKeyframe: boolean;
  /** Wall-clock time, in ms since 1970, on one clock for both kinds. Between the frames of one kind it grows. */
  readonly timestampMs: number;
  /** Of keyframes, in pixels. 0: unknown, or not a keyframe. */
  readonly width: number;
  readonly height: number;
}

export interface TapListener {
  /** The source is there. Before all frames, and once more when it comes back with other tracks or after it ended. */
  onSource(tracks: TapTracks): void;
  onFrame(frame: TappedFrame): void;
  /** Packets were lost: so many frames are left out. */
  onLoss(frames: number): void;
  /** The source ended; it may come back. */
  onSourceEnded(): void;
  /** The engine is gone, or the stream moved. Called once, and never after `close()`. */
  onClosed(): void;
}

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
