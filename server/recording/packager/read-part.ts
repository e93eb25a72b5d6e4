import { MediaEnd } from '../matroska/media-end.js';
import { withPart, PartUnreadableError, type PartReader, type ReadBlocks } from '../matroska/part-reader.js';
import type { PartIndex } from '../packager.js';
import type { PartGroup } from '../recorder.js';

/** Of parts with sound alone, as the recorder makes them by default. */
const SOUND_GROUP_MS = 2_000;

/** Finds where groups begin: at clusters whose first picture is a keyframe, or for sound alone every two seconds. */
export class GroupFinder {
  readonly #hasVideo: boolean;
  #lastMs = -Infinity;

  constructor(hasVideo: boolean) {
    this.#hasVideo = hasVideo;
  }

  /** @returns the time at which the group begins; undefined: the cluster continues one */
  startOf({ blocks }: Pick<ReadBlocks, 'blocks'>): number | undefined {
    if (this.#hasVideo) {
      const picture = blocks.find(({ kind }) => kind === 'video');
      return picture?.isKeyframe ? picture.timestampMs : undefined;
    }
    const { timestampMs } = blocks[0]!;
    if (timestampMs - this.#lastMs < SOUND_GROUP_MS) return undefined;
    this.#lastMs = timestampMs;
    return timestampMs;
  }
}

/** @throws {PartUnreadableError} if the file has no media that can be read */
export async function readPart(file: string): Promise<PartIndex> {
  return withPart(file, indexOf);
}

async function indexOf(part: PartReader): Promise<PartIndex> {
  const { video, audio } = part.tracks;
  const finder = new GroupFinder(video !== undefined);
  const groups: PartGroup[] = [];
  const mediaEnd = new MediaEnd();
  let bytes = 0;
  for await (const cluster of part.clusters()) {
    const timestampMs = finder.startOf(cluster);
    if (timestampMs !== undefined) groups.push({ position: cluster.position, timestampMs });
    for (const block of cluster.blocks) mediaEnd.add(block);
    bytes = cluster.end;
  }
  if (groups.length === 0) throw new PartUnreadableError('the recorded file has no media that can be read');
  return {
    video: video && { codec: video.codec, width: video.width, height: video.height },
    audio,
    groups,
    durationMs: mediaEnd.ms,
    bytes,
  };
}
