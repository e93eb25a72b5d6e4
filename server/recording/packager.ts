import type { VideoCodec } from '../media/engine/media-track.js';
import type { PartGroup } from './recorder.js';

/** A part as it is on disk. */
export interface PartFile {
  /** Absolute. */
  readonly file: string;
  /** The wall-clock time of its first frame, in ms since 1970. */
  readonly startsAt: number;
}

/** What can be read of a part, also of one whose recorder was killed. */
export interface PartIndex {
  readonly video: { readonly codec: VideoCodec; readonly width: number; readonly height: number } | undefined;
  readonly audio: { readonly codec: 'opus' } | undefined;
  readonly groups: readonly PartGroup[];
  readonly durationMs: number;
  /** Up to the end of the last complete frame. */
  readonly bytes: number;
}

export interface FinishedFile {
  /** Absolute. */
  readonly file: string;
  readonly container: 'mp4' | 'webm';
  readonly bytes: number;
  readonly durationMs: number;
  readonly groups: readonly FinishedGroup[];
}

/** A group of a finished file. */
export interface FinishedGroup extends PartGroup {
  /** Where the media of the part before it end, in ms. Absent: the group before it is of the same part. */
  readonly gapFromMs?: number | undefined;
}

/** The video codecs that fragmented MP4 has, and so a playlist. */
export type PlaylistCodec = Exclude<VideoCodec, 'vp8'>;

/** A range of groups of a part. */
export interface GroupRange {
  readonly part: PartFile;
  /** The complete groups between these positions in bytes. */
  readonly from: number;
  readonly to: number;
  /** The position of an earlier group, whose keyframe is shown until there is one in the range. Undefined: none is. */
  readonly keyframeAt: number | undefined;
  /** Of a part with sound alone: the codec of the black picture that is shown. Undefined: none is. */
  readonly black: PlaylistCodec | undefined;
  /** Where they end, in the file of the part: the last picture lasts so long. */
  readonly endMs: number;
}

/** Reads recorded parts, and makes other files of them, in a process of its own with a low priority. */
export interface Packager {
  /** @throws {Error} if the file has no media that can be read */
  readPart(file: string): Promise<PartIndex>;
  /**
   * Puts parts together in one file with duration and index; gaps between them stay. MP4 for H264, VP9 and AV1, WebM
   * for VP8 and for sound alone. Parts are of one of `codecRuns`.
   * @param path absolute, without an extension
   * @param range the groups that cover it, in ms since 1970. Absent: everything
   */
  finish(
    parts: readonly PartFile[],
    path: string,
    range?: { readonly from: number; readonly to: number },
  ): Promise<FinishedFile>;
  /**
   * The initialization segment of fragmented MP4 for the segments of this part with one size of the picture. With a
   * picture there is always a track of sound: players cannot begin or end with one.
   * @param at the position of the first group of this size
   * @param black as of a `GroupRange`
   */
  initSegment(part: PartFile, at: number, black?: PlaylistCodec): Promise<Buffer>;
  /**
   * One segment of fragmented MP4. Its timestamps count from `zero`, in ms since 1970. Pictures without any sound have
   * silence.
   */
  segment(range: GroupRange, zero: number): Promise<Buffer>;
  close(): Promise<void>;
}
