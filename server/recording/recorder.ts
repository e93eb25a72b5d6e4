import type { EventEmitter } from 'node:events';
import type { TapAddress } from '../media/engine/media-engine.js';
import type { SourceId, VideoCodec } from '../media/engine/media-track.js';
import type { GroupStart } from './matroska/group-starts.js';
import type { StreamId } from '../streams/stream-id.js';

/** One file to be written: what one source of a stream sends until it ends, changes its codec, or is told to stop. */
export interface PartOrder {
  /** Chosen by the caller; names the part in all events. */
  readonly partId: string;
  readonly tap: TapAddress;
  readonly stream: StreamId;
  readonly sourceId: SourceId;
  /** Absolute, without an extension: the recorder appends `.mkv` or `.webm`. Its folder exists. */
  readonly path: string;
  /** A keyframe is requested this often. */
  readonly keyframeEveryMs: number;
}

export interface PartStart {
  readonly partId: string;
  /** Absolute. */
  readonly file: string;
  /** Undefined: the source sends none of that kind, or no picture has come. */
  readonly video: { readonly codec: VideoCodec; readonly width: number; readonly height: number } | undefined;
  readonly audio: { readonly codec: 'opus' } | undefined;
  /** What the source said that it would send, if no picture has come. Undefined: it said nothing. */
  readonly announcedVideo?: VideoCodec | undefined;
  /** The wall-clock time of its first frame, in ms since 1970. */
  readonly startsAt: number;
}

/** A group of frames in the file, which ends where the next one begins. */
export interface PartGroup extends GroupStart {
  /** In bytes. */
  readonly position: number;
}

/** Sent about once a second, and when a group is complete. */
export interface PartProgress {
  readonly partId: string;
  /** That are on disk: those that survive the recorder. */
  readonly bytes: number;
  readonly durationMs: number;
  /** Groups that began since the last report. */
  readonly groups: readonly PartGroup[];
  /** Largest picture so far. */
  readonly width: number;
  readonly height: number;
  /** Frames that were left out since the start, because the disk was too slow or packets were lost. */
  readonly framesLost: number;
  /** Whether frames were left out because the disk did not keep up. */
  readonly isDiskSlow: boolean;
}

export type PartEndReason =
  | 'stopped'
  /** The source ended, or the media worker is gone. If the source comes back, begin another part. */
  | 'source_ended'
  /** The source goes on with another codec: begin another part. */
  | 'codec_changed'
  | 'disk_full'
  | 'disk_failed'
  /** The recorder's process died. What is on disk can be read; begin another part. */
  | 'recorder_lost';

export interface PartEnd {
  readonly partId: string;
  readonly reason: PartEndReason;
  /** For the log. Undefined: nothing to add. */
  readonly detail: string | undefined;
  /** 0: there is no file. */
  readonly bytes: number;
  readonly durationMs: number;
}

export interface RecorderEvents {
  started: [PartStart];
  progress: [PartProgress];
  /** Always the last event of a part. Nothing of the file changes after it. */
  ended: [PartEnd];
}

/** Writes the media of sources to files, in a process of its own: a slow disk delays no packet. */
export interface Recorder extends EventEmitter<RecorderEvents> {
  /** Never throws: a part that cannot begin ends at once, with the reason. */
  start(order: PartOrder): void;
  /** The part ends soon. Does nothing if there is no such part. */
  stop(partId: string): void;
  /** Ends all parts, and resolves when their files are complete. */
  close(): Promise<void>;
}
