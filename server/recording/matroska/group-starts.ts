import { pictureSizeOf } from '../../media/embedded/frames/picture-size.js';
import type { VideoCodec } from '../../media/engine/media-track.js';
import type { Block } from './cluster.js';

/** While no picture comes, a group has so much sound: as much as is usually between two keyframes. */
export const SOUND_GROUP_MS = 2_000;

/** Where a group begins. */
export interface GroupStart {
  /** Since the start of the part. */
  readonly timestampMs: number;
  /** It begins with sound, because no picture came for some time, or none comes at all. Absent: with a keyframe. */
  readonly isSound?: true | undefined;
  /** Its picture has another size than the one before. */
  readonly isResized?: true | undefined;
}

/** Decides where the groups of a part begin: at its keyframes, and every two seconds while no picture comes. */
export class GroupStarts {
  readonly #codec: VideoCodec | undefined;
  /** The last picture, or the start of the last group if that was later. */
  #lastMs = -Infinity;
  #size = '';

  /** @param codec of the video. Undefined: sound alone */
  constructor(codec: VideoCodec | undefined) {
    this.#codec = codec;
  }

  /**
   * @param block in the order of the file
   * @returns the group that begins with it; undefined: it belongs to the group before
   */
  add({ kind, timestampMs, isKeyframe, data }: Block): GroupStart | undefined {
    if (kind === 'audio') {
      if (timestampMs - this.#lastMs < SOUND_GROUP_MS) return undefined;
      this.#lastMs = timestampMs;
      return { timestampMs, isSound: true };
    }
    // A picture that was late may be from before a group that began with sound: groups do not go back.
    const isStart = isKeyframe && timestampMs > this.#lastMs;
    this.#lastMs = Math.max(this.#lastMs, timestampMs);
    if (!isStart) return undefined;
    return { timestampMs, ...(this.#isResized(data) && { isResized: true }) };
  }

  /** For a file in clusters, where a group begins with a cluster. */
  addCluster([first, ...others]: readonly Block[]): GroupStart | undefined {
    const start = first && this.add(first);
    for (const block of others) if (block.kind === 'video') this.add(block);
    return start;
  }

  #isResized(keyframe: Buffer): boolean {
    const size = this.#codec && pictureSizeOf(this.#codec, keyframe);
    if (!size) return false;
    const before = this.#size;
    this.#size = `${size.width}x${size.height}`;
    return before !== '' && before !== this.#size;
  }
}
