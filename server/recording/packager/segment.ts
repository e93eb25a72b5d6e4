import { BufferTarget, CmafOutputFormat, Output } from 'mediabunny';
import type { Block } from '../matroska/cluster.js';
import { PartUnreadableError, withPart, type PartReader } from '../matroska/part-reader.js';
import type { GroupRange, PartFile } from '../packager.js';
import { decoderConfigsOf } from './decoder-configs.js';
import { withMp4 } from './mp4-reader.js';
import { Mp4Tracks } from './mp4-tracks.js';
import type { SegmentMedia } from './segment-media.js';

/** The initialization segment of fragmented MP4 for the segments of this part. */
export async function initSegment({ file }: PartFile): Promise<Buffer> {
  const media = isMp4(file) ? await withMp4(file, (mp4) => mp4.first()) : await withPart(file, firstOf);
  return (await packaged(media, 0)).init;
}

/** @param zero where timestamps count from, in ms since 1970: not later than the media */
export async function segment(
  { part: { file, startsAt }, from, to, endMs }: GroupRange,
  zero: number,
): Promise<Buffer> {
  const media = isMp4(file)
    ? await withMp4(file, (mp4) => mp4.between(from, to))
    : await withPart(file, (part) => mediaBetween(part, from, to));
  if (media.blocks.length === 0) throw new PartUnreadableError('the recorded file has no media in this range');
  if (startsAt + media.blocks[0]!.timestampMs < zero) {
    throw new RangeError('a segment cannot be from before the time that it counts from');
  }
  return (await packaged(media, startsAt - zero, endMs)).media;
}

/** The beginning of a part, which the initialization segment is made of. */
export async function firstOf(part: PartReader): Promise<SegmentMedia> {
  for await (const { blocks } of part.clusters()) {
    return { codec: part.tracks.video?.codec, blocks, configs: await decoderConfigsOf(part.tracks, blocks) };
  }
  throw new PartUnreadableError('the recorded file has no media that can be read');
}

async function mediaBetween(part: PartReader, from: number, to: number): Promise<SegmentMedia> {
  const blocks: Block[] = [];
  for await (const cluster of part.clusters(from, to)) blocks.push(...cluster.blocks);
  return { ...(await firstOf(part)), blocks };
}

async function packaged({ codec, configs, blocks }: SegmentMedia, shiftMs: number, endMs?: number) {
  const initTarget = new BufferTarget();
  const output = new Output({ format: new CmafOutputFormat(), target: new BufferTarget(), initTarget });
  const mp4 = new Mp4Tracks(output, codec, configs);
  await output.start();
  const last = blocks.findLast(({ kind }) => kind === 'video');
  for (const block of blocks) {
    // The last picture lasts until the next segment, so that no gap is between the segments.
    const isLast = block === last && endMs !== undefined;
    await mp4.add(block, block.timestampMs + shiftMs, isLast ? Math.max(1, endMs - block.timestampMs) : undefined);
  }
  await output.finalize();
  return { init: Buffer.from(initTarget.buffer!), media: Buffer.from(output.target.buffer!) };
}

const isMp4 = (file: string): boolean => file.endsWith('.mp4');
