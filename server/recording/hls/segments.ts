import type { RewindPart, RewindRecording } from '../rewind-source.js';

/** A segment has at least so much, except the last of a part. It begins with a keyframe, so it may have more. */
export const SEGMENT_MS = 2_000;

export interface Segment {
  /** In bytes: of the groups in the file of the part. */
  readonly from: number;
  readonly to: number;
  /** Where it ends, since the start of the part. */
  readonly endMs: number;
  readonly durationMs: number;
}

/** The segments of a part, and where they are on the time line of the playlist. */
export interface SegmentedPart {
  readonly part: RewindPart;
  readonly segments: readonly Segment[];
  /** The duration of all segments before this part. */
  readonly offsetMs: number;
}

/**
 * The parts that one playlist can have, in segments. Parts in codecs without a place in fragmented MP4 (VP8) are left out
 * at the beginning. Where the codecs change it ends: players cannot change them in the middle, and what follows becomes a
 * recording of its own.
 *
 * Later calls, when more is recorded, return the same segments, and others after them.
 */
export function segmentedParts({ parts }: Pick<RewindRecording, 'parts'>): SegmentedPart[] {
  const segmented: SegmentedPart[] = [];
  let offsetMs = 0;
  for (const part of firstRun(parts)) {
    const segments = segmentsOf(part);
    if (segments.length === 0) continue;
    segmented.push({ part, segments, offsetMs });
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

/** Whether the playlist ends before the recording does, where the codecs changed. */
export function endsBefore({ parts }: Pick<RewindRecording, 'parts'>): boolean {
  const run = firstRun(parts);
  return run.length > 0 && run.at(-1) !== parts.at(-1);
}

/** Whether players can play any of it. */
export function hasPlayablePart({ parts }: Pick<RewindRecording, 'parts'>): boolean {
  return parts.some(isPlayable);
}

function isPlayable({ video, audio }: RewindPart): boolean {
  return video ? video.codec !== 'vp8' : audio !== undefined;
}

/** The first parts that players can play, up to where the codecs change. */
function firstRun(parts: readonly RewindPart[]): readonly RewindPart[] {
  const first = parts.findIndex(isPlayable);
  if (first < 0) return [];
  const end = parts.findIndex((part, index) => index > first && !hasCodecsOf(part, parts[first]!));
  return parts.slice(first, end < 0 ? undefined : end);
}

function hasCodecsOf({ video, audio }: RewindPart, first: RewindPart): boolean {
  return video?.codec === first.video?.codec && audio?.codec === first.audio?.codec;
}

/** Only of complete groups. The last group of a part is complete when the part has ended. */
function segmentsOf({ groups, isOpen, bytes, durationMs }: RewindPart): Segment[] {
  const ends = groups.slice(1);
  if (!isOpen) ends.push({ position: bytes, timestampMs: durationMs });
  const segments: Segment[] = [];
  let start = groups[0];
  for (const [index, end] of ends.entries()) {
    const isLast = !isOpen && index === ends.length - 1;
    if (!start || (end.timestampMs - start.timestampMs < SEGMENT_MS && !isLast)) continue;
    // A part that was cut off may end with a group of which nothing is on disk.
    if (end.position > start.position) {
      const durationMs = Math.max(1, end.timestampMs - start.timestampMs);
      segments.push({ from: start.position, to: end.position, endMs: start.timestampMs + durationMs, durationMs });
    }
    start = end;
  }
  return segments;
}

function durationOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
}
