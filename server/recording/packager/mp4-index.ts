import type { FileHandle } from 'node:fs/promises';
import type { TrackKind } from '../../media/engine/media-track.js';
import type { GroupStart } from '../matroska/group-starts.js';
import { PartUnreadableError } from '../matroska/part-reader.js';

/** ISO/IEC 14496-12 section 8: where the samples of a track are. */
export interface Mp4Track {
  readonly kind: TrackKind;
  readonly offsets: Float64Array;
  readonly sizes: Uint32Array;
  /** In the file, in ms. */
  readonly times: Float64Array;
  /** 1: a keyframe. */
  readonly keyframes: Uint8Array;
}

/** Of a recording of some days. */
const MAX_INDEX_BYTES = 1024 * 1024 * 1024;
const HANDLERS: Readonly<Record<string, TrackKind>> = { vide: 'video', soun: 'audio' };

/** Reads the index of an MP4 file that this packager wrote, which stands before the media. */
export async function readMp4Index(file: FileHandle): Promise<readonly Mp4Track[]> {
  const head = Buffer.alloc(16);
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(head, 0, head.length, position);
    if (bytesRead < head.length) break;
    const size = head.readUInt32BE(0);
    if (size < 8 || head.toString('latin1', 4, 8) === 'mdat') break;
    if (head.toString('latin1', 4, 8) === 'moov' && size <= MAX_INDEX_BYTES) {
      const moov = Buffer.alloc(size - 8);
      await file.read(moov, 0, moov.length, position + 8);
      return indexOf(moov);
    }
    position += size;
  }
  throw new PartUnreadableError('the finished file has no index before its media');
}

/** The position of the first frame of a group. */
export function positionOf({ timestampMs, isSound }: GroupStart, tracks: readonly Mp4Track[]): number {
  const track = tracks.find(({ kind }) => kind === (isSound ? 'audio' : 'video'));
  const position = track?.offsets[firstAtOrAfter(track.times, timestampMs)];
  if (position === undefined) throw new PartUnreadableError('the finished file has no frame of this time');
  return position;
}

/** @param times ascending @returns the index of the first frame that is not before this time */
export function firstAtOrAfter(times: Float64Array, ms: number): number {
  let low = 0;
  for (let high = times.length; low < high;) {
    const middle = (low + high) >> 1;
    if (Math.round(times[middle]!) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function indexOf(moov: Buffer): readonly Mp4Track[] {
  const movieScale = timescaleOf(box(moov, 'mvhd'));
  return boxes(moov)
    .filter(({ type }) => type === 'trak')
    .map(({ data }) => trackOf(data, movieScale));
}

function trackOf(trak: Buffer, movieScale: number): Mp4Track {
  const media = box(trak, 'mdia');
  const table = box(box(media, 'minf'), 'stbl');
  const kind = HANDLERS[box(media, 'hdlr').toString('latin1', 8, 12)];
  if (!kind) throw new PartUnreadableError('the finished file has a track of another kind');
  const sizes = sizesOf(box(table, 'stsz'));
  const times = timesOf(box(table, 'stts'), sizes.length, timescaleOf(box(media, 'mdhd')));
  const shift = startOf(find(trak, 'edts'), movieScale);
  if (shift > 0) for (const index of times.keys()) times[index]! += shift;
  const large = find(table, 'co64');
  const chunks = large ? chunkOffsets(large, 8) : chunkOffsets(box(table, 'stco'), 4);
  const offsets = offsetsOf(box(table, 'stsc'), chunks, sizes);
  return { kind, sizes, times, offsets, keyframes: keyframeFlags(find(table, 'stss'), sizes.length) };
}

/** Version 1 of these boxes has times of 64 bits. */
const timescaleOf = (header: Buffer): number => header.readUInt32BE(header[0] === 1 ? 20 : 12);

/** The empty edit at the start of a track that begins later, in ms. */
function startOf(edits: Buffer | undefined, movieScale: number): number {
  const list = edits && find(edits, 'elst');
  if (!list || list.readUInt32BE(4) === 0) return 0;
  const isLong = list[0] === 1;
  const duration = isLong ? Number(list.readBigUInt64BE(8)) : list.readUInt32BE(8);
  const mediaTime = isLong ? Number(list.readBigInt64BE(16)) : list.readInt32BE(12);
  return mediaTime === -1 ? (1_000 * duration) / movieScale : 0;
}

function sizesOf(stsz: Buffer): Uint32Array {
  const common = stsz.readUInt32BE(4);
  return Uint32Array.from({ length: stsz.readUInt32BE(8) }, (_, index) => common || stsz.readUInt32BE(12 + 4 * index));
}

function timesOf(stts: Buffer, count: number, timescale: number): Float64Array {
  const times = new Float64Array(count);
  let sample = 0;
  let units = 0;
  for (let entry = 0; entry < stts.readUInt32BE(4); entry++) {
    const delta = stts.readUInt32BE(12 + 8 * entry);
    for (let left = stts.readUInt32BE(8 + 8 * entry); left > 0 && sample < count; left--, units += delta) {
      times[sample++] = (1_000 * units) / timescale;
    }
  }
  return times;
}

function chunkOffsets(box: Buffer, bytes: 4 | 8): Float64Array {
  return Float64Array.from({ length: box.readUInt32BE(4) }, (_, index) =>
    bytes === 8 ? Number(box.readBigUInt64BE(8 + 8 * index)) : box.readUInt32BE(8 + 4 * index),
  );
}

function offsetsOf(stsc: Buffer, chunks: Float64Array, sizes: Uint32Array): Float64Array {
  const offsets = new Float64Array(sizes.length);
  const entries = stsc.readUInt32BE(4);
  let sample = 0;
  for (let entry = 0; entry < entries; entry++) {
    const first = stsc.readUInt32BE(8 + 12 * entry) - 1;
    const next = entry + 1 < entries ? stsc.readUInt32BE(20 + 12 * entry) - 1 : chunks.length;
    const perChunk = stsc.readUInt32BE(12 + 12 * entry);
    for (let chunk = first; chunk < next; chunk++) {
      let offset = chunks[chunk] ?? 0;
      for (let left = perChunk; left > 0 && sample < sizes.length; left--) {
        offsets[sample] = offset;
        offset += sizes[sample++]!;
      }
    }
  }
  return offsets;
}

function keyframeFlags(stss: Buffer | undefined, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  // Without the list, each sample is a keyframe.
  if (!stss) return flags.fill(1);
  for (let entry = 0; entry < stss.readUInt32BE(4); entry++) flags[stss.readUInt32BE(8 + 4 * entry) - 1] = 1;
  return flags;
}

function boxes(content: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const found: { type: string; data: Buffer }[] = [];
  for (let at = 0; at + 8 <= content.length;) {
    const size = content.readUInt32BE(at);
    if (size < 8 || at + size > content.length) break;
    found.push({ type: content.toString('latin1', at + 4, at + 8), data: content.subarray(at + 8, at + size) });
    at += size;
  }
  return found;
}

const find = (content: Buffer, type: string): Buffer | undefined =>
  boxes(content).find((one) => one.type === type)?.data;

function box(content: Buffer, type: string): Buffer {
  const found = find(content, type);
  if (!found) throw new PartUnreadableError(`the finished file has no ${type} in its index`);
  return found;
}
