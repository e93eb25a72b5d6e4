import { open, type FileHandle } from 'node:fs/promises';
import type { Block } from '../matroska/cluster.js';
import { PartUnreadableError } from '../matroska/part-reader.js';
import { decoderConfigsOf, decoderConfigsOfMp4, tracksOfConfigs, tracksWithSizeOf } from './decoder-configs.js';
import { firstAtOrAfter, readMp4Index, type Mp4Track } from './mp4-index.js';
import { withKeyframe, type SegmentMedia } from './segment-media.js';

/** Enough for the first sound and the first picture. */
const FIRST_MS = 100;

/** A finished MP4 file, to be cut into segments. */
export class Mp4Reader {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #tracks: readonly Mp4Track[];

  constructor(path: string, file: FileHandle, tracks: readonly Mp4Track[]) {
    this.#path = path;
    this.#file = file;
    this.#tracks = tracks;
  }

  /** The beginning of the group at this position, with what an initialization segment says of it. */
  async startOf(position: number): Promise<SegmentMedia> {
    const startMs = this.#timeAt(position);
    if (startMs === undefined) throw noGroup();
    const media = await this.#media(startMs, startMs + FIRST_MS);
    const tracks = tracksOfConfigs(media.configs);
    return { ...media, configs: await decoderConfigsOf(tracksWithSizeOf(media.blocks, tracks), media.blocks) };
  }

  /**
   * The groups between two positions, as `FinishedFile.groups` has them; `to` may be the end of the file.
   * @param keyframeAt as of a `GroupRange`
   */
  async between(from: number, to: number, keyframeAt?: number): Promise<SegmentMedia> {
    const startMs = this.#timeAt(from);
    if (startMs === undefined) throw noGroup();
    const media = await this.#media(this.#isFirst(startMs) ? 0 : startMs, this.#timeAt(to) ?? Infinity);
    const keyframe = keyframeAt === undefined ? undefined : await this.#keyframe(keyframeAt);
    return keyframe ? { ...media, blocks: withKeyframe(keyframe, media.blocks) } : media;
  }

  /** Of the frame that begins at this position. */
  #timeAt(position: number): number | undefined {
    for (const { offsets, times } of this.#tracks) {
      const index = offsets.indexOf(position);
      if (index >= 0) return Math.round(times[index]!);
    }
    return undefined;
  }

  /** Sound of the same moment may be a little before the first picture. */
  #isFirst(startMs: number): boolean {
    return this.#tracks.every(({ times }) => startMs < (times[0] ?? Infinity) + FIRST_MS);
  }

  async #keyframe(position: number): Promise<Block | undefined> {
    const video = this.#tracks.find(({ kind }) => kind === 'video');
    const index = video?.offsets.indexOf(position) ?? -1;
    return video && index >= 0 ? this.#block(video, index) : undefined;
  }

  async #media(fromMs: number, toMs: number): Promise<SegmentMedia> {
    const blocks: Block[] = [];
    for (const track of this.#tracks) await this.#read(track, fromMs, toMs, blocks);
    blocks.sort((a, b) => a.timestampMs - b.timestampMs);
    // This packager writes files with video, which is always one of the codecs that MP4 has.
    const configs = await decoderConfigsOfMp4(this.#path);
    return { codec: tracksOfConfigs(configs).video?.codec, configs, blocks };
  }

  async #read(track: Mp4Track, fromMs: number, toMs: number, blocks: Block[]): Promise<void> {
    const { times } = track;
    for (let index = firstAtOrAfter(times, fromMs); index < times.length; index++) {
      if (Math.round(times[index]!) >= toMs) return;
      blocks.push(await this.#block(track, index));
    }
  }

  async #block({ kind, times, sizes, offsets, keyframes }: Mp4Track, index: number): Promise<Block> {
    const data = Buffer.alloc(sizes[index]!);
    await this.#file.read(data, 0, data.length, offsets[index]!);
    return { kind, timestampMs: Math.round(times[index]!), isKeyframe: keyframes[index] === 1, data };
  }
}

/** Opens a finished file for as long as `use` takes. */
export async function withMp4<Result>(path: string, use: (mp4: Mp4Reader) => Promise<Result>): Promise<Result> {
  const file = await open(path).catch((error: Error) => {
    throw new PartUnreadableError(`the finished file cannot be opened: ${error.message}`);
  });
  try {
    return await use(new Mp4Reader(path, file, await readMp4Index(file)));
  } finally {
    await file.close();
  }
}

const noGroup = (): PartUnreadableError => new PartUnreadableError('the finished file has no group at this position');
