import { codecRuns, videoCodecOf } from '../codec-runs.js';
import type { PlaylistCodec } from '../packager.js';
import type { PartGroup } from '../recorder.js';
import type { RewindPart, RewindRecording } from '../rewind-source.js';

/**
 * A segment has at least so much, except the last of a part, and the last before the picture changes its size. It has
 * whole groups, so it may have more.
 */
export const SEGMENT_MS = 2_000;

export interface Segment {
  /** In bytes: of the groups in the file of the part. */
  readonly from: number;
  readonly to: number;
  /** Of the group whose keyframe the initialization segment describes: all segments of one size have the same one. */
  readonly initAt: number;
  /** Of the group whose keyframe is shown at its start. Undefined: it begins with one, or its part has sound alone. */
  readonly keyframeAt: number | undefined;
  /** Where it ends, since the start of the part. */
  readonly endMs: number;
  readonly durationMs: number;
}

/** The segments of a part, and where they are on the time line of the playlist. */
export interface SegmentedPart {
  readonly part: RewindPart;
  readonly segments: readonly Segment[];
  /**
   * The codec of the black picture that a part with sound alone has, so that players go on when a picture comes: they
   * cannot begin with one in the middle. Undefined: the part has pictures, or none can come.
   */
  readonly black: PlaylistCodec | undefined;
  /** The duration of all segments before this part. */
  readonly offsetMs: number;
}

/**
 * The parts that one playlist can have, in segments. Parts in codecs without a place in fragmented MP4 (VP8) are left out
 * at the beginning. Where the video codec changes it ends: players cannot change it in the middle, and what follows
 * becomes a recording of its own.
 *
 * Later calls, when more is recorded, return the same segments, and others after them.
 */
export function segmentedParts({ parts }: Pick<RewindRecording, 'parts'>): SegmentedPart[] {
  const segmented: SegmentedPart[] = [];
  let offsetMs = 0;
  const run = firstRun(parts);
  const codec = pictureCodec(run);
  for (const part of run) {
    const segments = [...segmentsOf(part)];
    if (segments.length === 0) continue;
    segmented.push({ part, segments, offsetMs, black: part.groups[0]?.isSound && codec });
    offsetMs += durationOf(segments);
    // Its last segments would come between those of the parts behind it.
    if (part.isOpen) break;
  }
  return segmented;
}

/** What a playlist lists, in ms. */
export function listedMs(parts: readonly SegmentedPart[]): number {
  const last = parts.at(-1);
  return last ? last.offsetMs + durationOf(last.segments) : 0;
}

/** Whether the playlist has at least so many segments. It looks at no more of them: a recording of hours has thousands. */
export function hasSegments({ parts }: Pick<RewindRecording, 'parts'>, count: number): boolean {
  let found = 0;
  for (const part of firstRun(parts)) {
    for (const _ of segmentsOf(part)) if (++found >= count) return true;
    if (part.isOpen) break;
  }
  return false;
}

/** Whether the playlist ends before the recording does, where the codecs changed. */
export function endsBefore({ parts }: Pick<RewindRecording, 'parts'>): boolean {
  const run = firstRun(parts);
  return run.length > 0 && run.at(-1) !== parts.at(-1);
}

/** Whether players can play any of it. */
export function hasPlayablePart({ parts }: Pick<RewindRecording, 'parts'>): boolean {
  return firstRun(parts).length > 0;
}

/** The first parts that players can play, up to where the video codec changes. */
function firstRun(parts: readonly RewindPart[]): readonly RewindPart[] {
  const run = codecRuns(parts).find((one) => videoCodecOf(one) !== 'vp8') ?? [];
  // What was listed stays: pictures in another codec than the one that was expected cannot follow.
  const codec = pictureCodec(run);
  const end = run.findIndex(({ video }) => video && video.codec !== codec);
  return end < 0 ? run : run.slice(0, end);
}

/** Of all pictures of a playlist that begins with these parts. Undefined: it has sound alone. */
function pictureCodec([first]: readonly RewindPart[]): PlaylistCodec | undefined {
  const codec = first?.video?.codec ?? first?.expectedVideo;
  return codec === 'vp8' ? undefined : codec;
}

/** Only of complete groups. The last group of a part is complete when the part has ended. */
function* segmentsOf({ groups, isOpen, bytes, durationMs }: RewindPart): Generator<Segment> {
  const [first] = groups;
  if (!first) return;
  const afterLast: PartGroup | undefined = isOpen ? undefined : { position: bytes, timestampMs: durationMs };
  let start = first;
  let initAt = first.position;
  let keyframeAt: number | undefined;
  let lastKeyframeAt = first.isSound ? undefined : first.position;
  for (let index = 1; index <= groups.length; index += 1) {
    const end = groups[index] ?? afterLast;
    if (!end) return;
    if (end === afterLast || end.isResized || end.timestampMs - start.timestampMs >= SEGMENT_MS) {
      const { position: from, timestampMs } = start;
      const { position: to } = end;
      const lastsMs = Math.max(1, end.timestampMs - timestampMs);
      // A part that was cut off may end with a group of which nothing is on disk.
      if (to > from) yield { from, to, initAt, keyframeAt, endMs: timestampMs + lastsMs, durationMs: lastsMs };
      start = end;
      if (end.isResized) initAt = end.position;
      keyframeAt = end.isSound ? lastKeyframeAt : undefined;
    }
    if (!end.isSound) lastKeyframeAt = end.position;
  }
}

function durationOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
