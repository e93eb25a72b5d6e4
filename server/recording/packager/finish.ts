import { Mp4OutputFormat, Output, StreamTarget, type StreamTargetChunk } from 'mediabunny';
import type { TrackKind } from '../../media/engine/media-track.js';
import type { Block } from '../matroska/cluster.js';
import { GroupStarts } from '../matroska/group-starts.js';
import { containerOf, type Tracks } from '../matroska/header.js';
import { MediaEnd } from '../matroska/media-end.js';
import { PartUnreadableError, type ReadBlocks } from '../matroska/part-reader.js';
import type { FinishedFile, FinishedGroup, PartFile } from '../packager.js';
import type { DecoderConfigs } from './decoder-configs.js';
import { openMedia, withMedia, type MediaFile } from './media-file.js';
import { Mp4Tracks } from './mp4-tracks.js';
import { positionOf, readMp4Index } from './mp4-index.js';
import { OutputFile } from './output-file.js';
import { startOf } from './segment.js';
import { WebmFile } from './webm-file.js';

/** A clip does not begin with a picture that was the last one for so long. */
const NEAR_MS = 10_000;
/** Of memory for what is being written. */
const CHUNK_BYTES = 4 * 1024 * 1024;

export interface TimeRange {
  /** In ms since 1970. */
  readonly from: number;
  readonly to: number;
}

/** What is taken of one part. */
interface PlannedPart {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  /** Is added to the timestamps of the part. */
  readonly shiftMs: number;
}

/** A group, before its position is known. */
type PlannedGroup = Omit<FinishedGroup, 'position'>;

interface Plan {
  readonly parts: readonly PlannedPart[];
  readonly tracks: Tracks;
  readonly configs: DecoderConfigs;
  readonly counts: { video: number; audio: number };
  /** The first block of each kind, with its timestamp in the new file. */
  readonly firstBlocks: ReadonlyMap<TrackKind, Block>;
  readonly groups: readonly PlannedGroup[];
  readonly durationMs: number;
}

/** Puts parts together in one file. It appears when it is complete. */
export async function finish(
  parts: readonly PartFile[],
  path: string,
  range: TimeRange = { from: -Infinity, to: Infinity },
): Promise<FinishedFile> {
  const plan = await planOf(parts, range);
  const { video } = plan.tracks;
  const container = containerOf(plan.tracks) === 'mkv' && video ? 'mp4' : 'webm';
  const file = await OutputFile.create(`${path}.${container}`);
  try {
    const groups = container === 'mp4' ? await writeMp4(plan, file) : await writeWebm(plan, file);
    await file.complete();
    return { file: file.path, container, bytes: file.size, durationMs: plan.durationMs, groups };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Reads all parts once: what is taken, how much it is, and when. */
async function planOf(parts: readonly PartFile[], range: TimeRange): Promise<Plan> {
  const planned: PlannedPart[] = [];
  const counts = { video: 0, audio: 0 };
  const firstBlocks = new Map<TrackKind, Block>();
  const groups: PlannedGroup[] = [];
  const end = new MediaEnd();
  let tracks: Tracks = { video: undefined, audio: undefined };
  let configs: DecoderConfigs = { video: undefined, audio: undefined };
  let zero: number | undefined;
  for (const { file, startsAt } of parts) {
    await withMedia(file, async (part) => {
      const taken = await takenOf(part, startsAt, range);
      if (!taken) return;
      if (tracks.video && part.tracks.video && tracks.video.codec !== part.tracks.video.codec) {
        throw new PartUnreadableError('the recorded files have different codecs, and cannot become one file');
      }
      const starts = new GroupStarts(part.tracks.video?.codec);
      // Where the media before a part that is not the first end.
      let gapFromMs = groups.length > 0 ? end.ms : undefined;
      let shiftMs: number | undefined;
      let keyframeAt: number | undefined;
      for await (const { position, blocks } of decodable(part, taken)) {
        if (blocks.some(isKeyframe)) keyframeAt ??= position;
        if (shiftMs === undefined) {
          const first = Math.min(...blocks.map(({ timestampMs }) => timestampMs));
          zero ??= startsAt + first;
          // A clock that was set back must not lead to media that overlap.
          shiftMs = Math.max(Math.round(startsAt - zero), Math.ceil(end.ms) - first);
        }
        const start = starts.addCluster(blocks);
        if (start) {
          const group = { ...start, timestampMs: start.timestampMs + shiftMs };
          groups.push(gapFromMs === undefined ? group : { ...group, gapFromMs });
          gapFromMs = undefined;
        }
        for (const block of blocks) {
          const { kind } = block;
          const shifted = { ...block, timestampMs: block.timestampMs + shiftMs };
          counts[kind] += 1;
          if (!firstBlocks.has(kind)) firstBlocks.set(kind, shifted);
          end.add(shifted);
        }
      }
      const { codec, configs: own } = await startOf(part, keyframeAt ?? taken.from);
      tracks = { video: tracks.video ?? (codec && part.tracks.video), audio: tracks.audio ?? part.tracks.audio };
      configs = { video: configs.video ?? own.video, audio: configs.audio ?? own.audio };
      planned.push({ file, ...taken, shiftMs: shiftMs ?? 0 });
    });
  }
  if (groups.length === 0) throw new PartUnreadableError('nothing was recorded in this time');
  return { parts: planned, tracks, configs, counts, firstBlocks, groups, durationMs: end.ms };
}

/** The groups of a part that cover the range, by their positions. Undefined: none does. */
async function takenOf(part: MediaFile, startsAt: number, { from, to }: TimeRange) {
  const taken = { from: part.start, to: part.end };
  if (from === -Infinity && to === Infinity) return taken;
  const { video } = part.tracks;
  const starts = new GroupStarts(undefined);
  const end = new MediaEnd();
  let pictureMs = -Infinity;
  for await (const cluster of part.outline()) {
    const start = starts.addCluster(cluster.blocks);
    if (start && startsAt + start.timestampMs >= to) {
      if (cluster.position === taken.from) return undefined;
      taken.to = cluster.position;
      break;
    }
    // A file with video begins with a keyframe, if one was near.
    const canBegin = start && !(video && start.isSound && start.timestampMs - pictureMs < NEAR_MS);
    if (canBegin && startsAt + start.timestampMs <= from) taken.from = cluster.position;
    for (const block of cluster.blocks) {
      end.add(block);
      if (block.kind === 'video') pictureMs = block.timestampMs;
    }
  }
  return startsAt + end.ms > from ? taken : undefined;
}

/** The clusters that are taken, without the pictures before the first keyframe. */
async function* decodable(part: MediaFile, { from, to }: Pick<PlannedPart, 'from' | 'to'>): AsyncGenerator<ReadBlocks> {
  let hasKeyframe = false;
  for await (const cluster of part.clusters(from, to)) {
    const blocks = cluster.blocks.filter((block) => (hasKeyframe ||= isKeyframe(block)) || block.kind === 'audio');
    if (blocks.length > 0) yield { ...cluster, blocks };
  }
}

const isKeyframe = ({ kind, isKeyframe: isKey }: Block): boolean => kind === 'video' && isKey;

/** The planned blocks of all parts, with the timestamps of the new file. */
async function* blocksOf({ parts }: Plan): AsyncGenerator<{ blocks: readonly Block[]; startsGroup: boolean }> {
  for (const { file, from, to, shiftMs } of parts) {
    const part = await openMedia(file);
    try {
      const starts = new GroupStarts(part.tracks.video?.codec);
      for await (const cluster of decodable(part, { from, to })) {
        const startsGroup = starts.addCluster(cluster.blocks) !== undefined;
        const blocks = cluster.blocks.map((block) =>
          Object.assign(block, { timestampMs: block.timestampMs + shiftMs }),
        );
        yield { blocks, startsGroup };
      }
    } finally {
      await part.close();
    }
  }
}

async function writeWebm(plan: Plan, file: OutputFile): Promise<readonly FinishedGroup[]> {
  const { tracks, durationMs } = plan;
  const isInIndex = ({ isSound }: PlannedGroup): boolean => !(tracks.video && isSound);
  const webm = await WebmFile.start(file, tracks, durationMs, plan.groups.filter(isInIndex).length);
  const groups: FinishedGroup[] = [];
  for await (const { blocks, startsGroup } of blocksOf(plan)) {
    const group = startsGroup ? plan.groups[groups.length] : undefined;
    if (group) groups.push({ ...group, position: file.size });
    await webm.add(blocks, group && isInIndex(group) ? group.timestampMs : undefined);
  }
  await webm.finish();
  return groups;
}

/** The index stands before the media: its place is reserved, because the number of frames is known. */
async function writeMp4(plan: Plan, file: OutputFile): Promise<readonly FinishedGroup[]> {
  const writable = new WritableStream<StreamTargetChunk>({ write: ({ data, position }) => file.write(data, position) });
  const target = new StreamTarget(writable, { chunked: true, chunkSize: CHUNK_BYTES });
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'reserve' }), target });
  const mp4 = new Mp4Tracks(output, plan.tracks.video?.codec, plan.configs, plan.counts);
  await output.start();
  // The library keeps everything in memory until each track has begun, and one may begin hours later.
  const begun = new Set<TrackKind>();
  for (const block of plan.firstBlocks.values()) await mp4.add(block, block.timestampMs);
  for await (const { blocks } of blocksOf(plan)) {
    for (const block of blocks) {
      if (begun.has(block.kind)) await mp4.add(block, block.timestampMs);
      else begun.add(block.kind);
    }
  }
  await output.finalize();
  const index = await readMp4Index(file.handle);
  return plan.groups.map((group) => ({ ...group, position: positionOf(group, index) }));
}
