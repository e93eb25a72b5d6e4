import type { SegmentedPart } from './segments.js';

/** Players ask for the playlist again after about this time. Longer segments raise it. */
const TARGET_SECONDS = 4;

export const initName = (partId: string): string => `${partId}.mp4`;
export const segmentName = (partId: string, index: number): string => `${partId}-${index}.m4s`;

/**
 * The media playlist of a recording (RFC 8216), with addresses relative to its own. While it is recorded, segments are
 * only appended (EVENT); afterwards it is complete (VOD). Every part has an initialization segment of its own, and a
 * discontinuity before it.
 */
export function mediaPlaylist(parts: readonly SegmentedPart[], isOpen: boolean): string {
  const longest = Math.max(0, ...parts.flatMap(({ segments }) => segments.map(({ durationMs }) => durationMs)));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(TARGET_SECONDS, Math.ceil(longest / 1000))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    `#EXT-X-PLAYLIST-TYPE:${isOpen ? 'EVENT' : 'VOD'}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ];
  for (const [index, { part, segments }] of parts.entries()) {
    if (index > 0) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXT-X-MAP:URI="${initName(part.id)}"`);
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(part.startsAt + (part.groups[0]?.timestampMs ?? 0)).toISOString()}`,
    );
    for (const [number, { durationMs }] of segments.entries()) {
      lines.push(`#EXTINF:${(durationMs / 1000).toFixed(3)},`, segmentName(part.id, number));
    }
  }
  if (!isOpen) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}
