import type { VideoCodec } from '../../media/engine/media-track.js';
import type { TappedFrame } from '../../media/engine/tap.js';
import { clusterOf, type Block } from '../matroska/cluster.js';
import { GroupStarts, type GroupStart } from '../matroska/group-starts.js';
import { MediaEnd } from '../matroska/media-end.js';
import type { Backlog } from './drop-policy.js';

/** So much is lost at most if the process is killed, beside what the interleaver holds and the disk has not taken. */
export const CLUSTER_MS = 500;
const CLUSTER_BYTES = 1024 * 1024;

export interface BuiltCluster {
  readonly data: Buffer;
  /** The group that begins with it. Undefined: it belongs to the group before. */
  readonly group: GroupStart | undefined;
  /** Where the media end with this cluster. */
  readonly endMs: number;
  /** Of the largest picture in it. 0: it has no keyframe. */
  readonly width: number;
  readonly height: number;
}

interface OpenCluster {
  readonly blocks: Block[];
  readonly since: number;
  readonly group: GroupStart | undefined;
  bytes: number;
  width: number;
  height: number;
}

/** Collects frames in clusters of half a second. A group begins with a cluster. */
export class ClusterBuilder {
  readonly #startsAt: number;
  readonly #groups: GroupStarts;
  readonly #end = new MediaEnd();
  readonly #last = { audio: -1, video: -1 };
  readonly #built: BuiltCluster[] = [];
  #open: OpenCluster | undefined;

  /** @param codec of the video. Undefined: sound alone */
  constructor(startsAt: number, codec: VideoCodec | undefined) {
    this.#startsAt = startsAt;
    this.#groups = new GroupStarts(codec);
  }

  /** @returns false if the frame has no place: it is not later than the one before of its kind */
  add(frame: TappedFrame, now: number): boolean {
    const { kind, data, isKeyframe } = frame;
    const exactMs = frame.timestampMs - this.#startsAt;
    // Frames less than a millisecond apart are kept apart by one.
    const timestampMs = Math.max(Math.round(exactMs), this.#last[kind] + 1);
    if (exactMs < 0 || timestampMs - exactMs > 2) return false;
    this.#last[kind] = timestampMs;

    const block = { kind, timestampMs, isKeyframe, data };
    const group = this.#groups.add(block);
    if (group || (this.#open && this.#isFull(this.#open, timestampMs))) this.#close();
    this.#open ??= { blocks: [], since: now, group, bytes: 0, width: 0, height: 0 };
    this.#open.blocks.push(block);
    this.#open.bytes += data.length;
    if (frame.width * frame.height > this.#open.width * this.#open.height) {
      Object.assign(this.#open, { width: frame.width, height: frame.height });
    }
    return true;
  }

  held(now: number): Backlog {
    return { bytes: this.#open?.bytes ?? 0, ms: this.#open ? now - this.#open.since : 0 };
  }

  /** The clusters that are full or old enough to be written. */
  take(now: number): readonly BuiltCluster[] {
    if (this.#open && now - this.#open.since >= CLUSTER_MS) this.#close();
    return this.#built.splice(0);
  }

  takeAll(): readonly BuiltCluster[] {
    this.#close();
    return this.#built.splice(0);
  }

  #isFull({ blocks, bytes }: OpenCluster, timestampMs: number): boolean {
    return bytes >= CLUSTER_BYTES || Math.abs(timestampMs - blocks[0]!.timestampMs) >= CLUSTER_MS;
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const { blocks, group, width, height } = open;
    for (const block of blocks) this.#end.add(block);
    this.#built.push({ data: clusterOf(blocks), group, endMs: this.#end.ms, width, height });
  }
}
