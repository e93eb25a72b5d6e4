import type { TrackKind } from '../../media/engine/media-track.js';
import { children, element, ID, readUint, uint } from './ebml.js';
import { TRACK_NUMBERS } from './header.js';

export interface Block {
  readonly kind: TrackKind;
  /** Since the start of the file, in whole ms. */
  readonly timestampMs: number;
  readonly isKeyframe: boolean;
  /** As the container has it: H.264 with lengths instead of start codes. */
  readonly data: Buffer;
}

/** A block counts from its cluster with 16 bits. */
export const MAX_CLUSTER_MS = 32_767;

const KEYFRAME = 0x80;
const BLOCK_HEADER = 4;

/** A cluster counts from its earliest block. At least one block; all within `MAX_CLUSTER_MS`. */
export function clusterOf(blocks: readonly Block[]): Buffer {
  const start = blocks.reduce((earliest, { timestampMs }) => Math.min(earliest, timestampMs), Infinity);
  return element(ID.cluster, uint(ID.timestamp, start), ...blocks.map((block) => blockOf(block, start)));
}

function blockOf({ kind, timestampMs, isKeyframe, data }: Block, start: number): Buffer {
  const header = Buffer.of(0x80 | TRACK_NUMBERS[kind], 0, 0, isKeyframe ? KEYFRAME : 0);
  header.writeInt16BE(timestampMs - start, 1);
  return element(ID.simpleBlock, header, data);
}

/** What could be read of a cluster. */
export interface ReadCluster {
  readonly blocks: readonly Block[];
  /** Of its content, up to the end of the last complete block. */
  readonly bytes: number;
}

/** @param content of a cluster. If its end is missing: all blocks that are complete */
export function readCluster(content: Buffer): ReadCluster {
  let start = 0;
  let bytes = 0;
  const blocks: Block[] = [];
  for (const { id, data } of children(content)) {
    bytes = data.byteOffset + data.length - content.byteOffset;
    if (id === ID.timestamp) start = readUint(data);
    if (id !== ID.simpleBlock || data.length <= BLOCK_HEADER) continue;
    const kind = kindOf(data[0]! & 0x7f);
    if (!kind) continue;
    const timestampMs = start + data.readInt16BE(1);
    blocks.push({ kind, timestampMs, isKeyframe: (data[3]! & KEYFRAME) !== 0, data: data.subarray(BLOCK_HEADER) });
  }
  return { blocks, bytes };
}

function kindOf(track: number): TrackKind | undefined {
  if (track === TRACK_NUMBERS.video) return 'video';
  return track === TRACK_NUMBERS.audio ? 'audio' : undefined;
}
