import { BufferTarget, CmafOutputFormat, Output } from 'mediabunny';
import type { Block } from '../matroska/cluster.js';
import { PartUnreadableError } from '../matroska/part-reader.js';
import type { GroupRange, PartFile, PlaylistCodec } from '../packager.js';
import { decoderConfigsOf, tracksWithSizeOf } from './decoder-configs.js';
import { blackStart, withBlack, withSilence } from './fillers.js';
import { withMedia, type MediaFile } from './media-file.js';
import { withMp4 } from './mp4-reader.js';
import { Mp4Tracks } from './mp4-tracks.js';
import { withKeyframe, type SegmentMedia } from './segment-media.js';

/** The initialization segment of fragmented MP4. Parameters as of `Packager.initSegment` */
export async function initSegment({ file }: PartFile, at: number, black?: PlaylistCodec): Promise<Buffer> {
  if (black) return (await packaged(await blackStart(black), 0)).init;
  const media = isMp4(file)
    ? await withMp4(file, (mp4) => mp4.startOf(at))
    : await withMedia(file, (part) => startOf(part, at));
  const first = Math.min(...media.blocks.map(({ timestampMs }) => timestampMs));
  return (await packaged(await withSilence(media, first), -first)).init;
}

/** @param zero where timestamps count from, in ms since 1970: not later than the media */
export async function segment(
  { part: { file, startsAt }, from, to, keyframeAt, black, endMs }: GroupRange,
  zero: number,
): Promise<Buffer> {
  const recorded = isMp4(file)
    ? await withMp4(file, (mp4) => mp4.between(from, to, keyframeAt))
    : await withMedia(file, (part) => mediaBetween(part, from, to, keyframeAt));
  if (recorded.blocks.length === 0) throw new PartUnreadableError('the recorded file has no media in this range');
  const media = await (black ? withBlack(recorded, black) : withSilence(recorded, endMs));
  if (startsAt + media.blocks[0]!.timestampMs < zero) {
    throw new RangeError('a segment cannot be from before the time that it counts from');
  }
  return (await packaged(media, startsAt - zero, endMs)).media;
}

/**
 * The beginning of a group, which the initialization segment is made of. Without a keyframe it has sound alone.
 * @param at its position. Default: of the first one, whose size the header has
 */
export async function startOf(part: MediaFile, at = part.start): Promise<SegmentMedia> {
  for await (const { blocks } of part.clusters(at)) {
    const hasKeyframe = blocks.some(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
    const present = { video: hasKeyframe ? part.tracks.video : undefined, audio: part.tracks.audio };
    const tracks = at === part.start ? present : tracksWithSizeOf(blocks, present);
    return { codec: tracks.video?.codec, blocks, configs: await decoderConfigsOf(tracks, blocks) };
  }
  throw new PartUnreadableError('the recorded file has no media that can be read');
}

async function mediaBetween(
  part: MediaFile,
  from: number,
  to: number,
  keyframeAt: number | undefined,
): Promise<SegmentMedia> {
  const blocks: Block[] = [];
  for await (const cluster of part.clusters(from, to)) blocks.push(...cluster.blocks);
  const keyframe = keyframeAt === undefined ? undefined : await keyframeOf(part, keyframeAt);
  return { ...(await startOf(part)), blocks: keyframe ? withKeyframe(keyframe, blocks) : blocks };
}

async function keyframeOf(part: MediaFile, position: number): Promise<Block | undefined> {
  for await (const { blocks } of part.clusters(position)) return blocks.find(({ kind }) => kind === 'video');
  return undefined;
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
