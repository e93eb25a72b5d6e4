import type { SegmentedPart } from './segments.js';

/** Players ask for the playlist again after about this time. Longer segments raise it. */
const TARGET_SECONDS = 4;

/** @param index of the first segment that it is for */
export const initName = (partId: string, index: number): string => `${partId}-${index}.mp4`;
export const segmentName = (partId: string, index: number): string => `${partId}-${index}.m4s`;

/**
 * The media playlist of a recording (RFC 8216), with addresses relative to its own. While it is recorded, segments are
 * only appended (EVENT); afterwards it is complete (VOD). Every part, and every size of the picture in it, has an
 * initialization segment of its own, and a discontinuity before it.
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
    for (const [number, { initAt, endMs, durationMs }] of segments.entries()) {
      if (initAt !== segments[number - 1]?.initAt) {
        if (index > 0 || number > 0) lines.push('#EXT-X-DISCONTINUITY');
        const startsOn = new Date(part.startsAt + endMs - durationMs).toISOString();
        lines.push(`#EXT-X-MAP:URI="${initName(part.id, number)}"`, `#EXT-X-PROGRAM-DATE-TIME:${startsOn}`);
      }
      lines.push(`#EXTINF:${(durationMs / 1000).toFixed(3)},`, segmentName(part.id, number));
    }
  }
  if (!isOpen) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}
