import { GroupStarts } from '../matroska/group-starts.js';
import { MediaEnd } from '../matroska/media-end.js';
import { PartUnreadableError } from '../matroska/part-reader.js';
import type { PartIndex } from '../packager.js';
import type { PartGroup } from '../recorder.js';
import { withMedia, type MediaFile } from './media-file.js';

/** @throws {PartUnreadableError} if the file has no media that can be read */
export async function readPart(file: string): Promise<PartIndex> {
  return withMedia(file, indexOf);
}

async function indexOf(part: MediaFile): Promise<PartIndex> {
  const { video, audio } = part.tracks;
  const starts = new GroupStarts(video?.codec);
  const groups: PartGroup[] = [];
  const mediaEnd = new MediaEnd();
  let bytes = 0;
  for await (const cluster of part.outline()) {
    const start = starts.addCluster(cluster.blocks);
    if (start) groups.push({ ...start, position: cluster.position });
    for (const block of cluster.blocks) mediaEnd.add(block);
    bytes = cluster.end;
  }
  if (groups.length === 0) throw new PartUnreadableError('the recorded file has no media that can be read');
  return {
    video: video && { codec: video.codec, width: video.width, height: video.height },
    audio,
    groups,
    durationMs: mediaEnd.ms,
    bytes: part.bytes ?? bytes,
  };
}
