import type { RewindPart } from '../rewind-source.js';
import type { Segment, SegmentedPart } from './segments.js';

/** Players ask for the playlist again after about this time. Longer segments raise it. */
const TARGET_SECONDS = 4;
/** What the playlist of the end lists: enough to pause for a moment and go on. */
const END_SECONDS = 30;
/** RFC 8216, 6.2.2, demands three target durations. Players may be one behind. */
const END_TARGETS = 4;

/** @param index of the first segment that it is for */
export const initName = (partId: string, index: number): string => `${partId}-${index}.mp4`;
export const segmentName = (partId: string, index: number): string => `${partId}-${index}.m4s`;

export interface PlaylistOptions {
  /** Whether more may come. */
  readonly isOpen: boolean;
  /** Lists the last segments only: little to load for viewers who watch live. */
  readonly isEnd?: boolean;
  /**
   * The address of a segment, absolute or relative to the playlist.
   * @param recordedAt when it was complete, in ms since 1970
   */
  readonly addressOf?: (file: string, recordedAt: number) => string;
}

/**
 * The media playlist of a recording (RFC 8216). While it is recorded, segments are only appended (EVENT); afterwards it is
 * complete (VOD). Every part, and every size of the picture in it, has an initialization segment of its own, and a
 * discontinuity before it.
 */
export function mediaPlaylist(
  parts: readonly SegmentedPart[],
  { isOpen, isEnd = false, addressOf = (file) => file }: PlaylistOptions,
): string {
  const entries = entriesOf(parts);
  const longest = Math.max(0, ...entries.map(({ segment }) => segment.durationMs));
  const target = Math.max(TARGET_SECONDS, Math.ceil(longest / 1000));
  const from = isEnd ? endFrom(entries, Math.max(END_SECONDS, END_TARGETS * target) * 1_000) : 0;
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-MEDIA-SEQUENCE:${from}`,
    isEnd
      ? `#EXT-X-DISCONTINUITY-SEQUENCE:${entries.slice(0, from).filter(isDiscontinuity).length}`
      : `#EXT-X-PLAYLIST-TYPE:${isOpen ? 'EVENT' : 'VOD'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  for (const [index, entry] of entries.slice(from).entries()) {
    const { part, number, segment, first } = entry;
    const endsAt = part.startsAt + segment.endMs;
    if (isDiscontinuity(entry)) lines.push('#EXT-X-DISCONTINUITY');
    if (index === 0 || number === first) {
      const startsOn = new Date(endsAt - segment.durationMs).toISOString();
      lines.push(`#EXT-X-MAP:URI="${initName(part.id, first)}"`, `#EXT-X-PROGRAM-DATE-TIME:${startsOn}`);
    }
    lines.push(`#EXTINF:${(segment.durationMs / 1000).toFixed(3)},`, addressOf(segmentName(part.id, number), endsAt));
  }
  if (!isOpen) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

interface Entry {
  readonly part: RewindPart;
  readonly segment: Segment;
  /** In its part. */
  readonly number: number;
  /** The first one with the same initialization segment. */
  readonly first: number;
  readonly isFirstOfAll: boolean;
}

function entriesOf(parts: readonly SegmentedPart[]): Entry[] {
  const entries: Entry[] = [];
  for (const { part, segments } of parts) {
    let first = 0;
    for (const [number, segment] of segments.entries()) {
      if (segment.initAt !== segments[number - 1]?.initAt) first = number;
      entries.push({ part, segment, number, first, isFirstOfAll: entries.length === 0 });
    }
  }
  return entries;
}

const isDiscontinuity = ({ number, first, isFirstOfAll }: Entry): boolean => number === first && !isFirstOfAll;

/** The index of the segment from which on there are `ms`, or all if there are fewer. */
function endFrom(entries: readonly Entry[], ms: number): number {
  let from = entries.length;
  for (let left = ms; from > 0 && left > 0; from -= 1) left -= entries[from - 1]!.segment.durationMs;
  return from;
}
