import { open, type FileHandle } from 'node:fs/promises';
import type { Block } from '../matroska/cluster.js';
import { PartUnreadableError } from '../matroska/part-reader.js';
import { decoderConfigsOfMp4 } from './decoder-configs.js';
import { keyframesOf, readMp4Index, type Mp4Track } from './mp4-index.js';
import type { SegmentMedia } from './segment-media.js';

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

  async first(): Promise<SegmentMedia> {
    return this.#media(0, FIRST_MS);
  }

  /** The groups between two positions, as `FinishedFile.groups` has them; `to` may be the end of the file. */
  async between(from: number, to: number): Promise<SegmentMedia> {
    const groups = keyframesOf(this.#tracks);
    const start = groups.find(({ position }) => position === from);
    if (!start) throw new PartUnreadableError('the finished file has no group at this position');
    const end = groups.find(({ position }) => position >= to);
    return this.#media(start === groups[0] ? 0 : start.timestampMs, end?.timestampMs ?? Infinity);
  }

  async #media(fromMs: number, toMs: number): Promise<SegmentMedia> {
    const blocks: Block[] = [];
    for (const track of this.#tracks) await this.#read(track, fromMs, toMs, blocks);
    blocks.sort((a, b) => a.timestampMs - b.timestampMs);
    // This packager writes files with video, which is always one of the codecs that MP4 has.
    const configs = await decoderConfigsOfMp4(this.#path);
    return { codec: codecOf(configs.video?.codec), configs, blocks };
  }

  async #read(track: Mp4Track, fromMs: number, toMs: number, blocks: Block[]): Promise<void> {
    const { kind, times, sizes, offsets, keyframes } = track;
    for (let index = firstAtOrAfter(times, fromMs); index < times.length; index++) {
      const timestampMs = Math.round(times[index]!);
      if (timestampMs >= toMs) return;
      const data = Buffer.alloc(sizes[index]!);
      await this.#file.read(data, 0, data.length, offsets[index]!);
      blocks.push({ kind, timestampMs, isKeyframe: keyframes[index] === 1, data });
    }
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

function codecOf(name = ''): 'h264' | 'vp9' | 'av1' | undefined {
  if (name.startsWith('avc')) return 'h264';
  if (name.startsWith('vp09')) return 'vp9';
  return name.startsWith('av01') ? 'av1' : undefined;
}

/** @param times ascending */
function firstAtOrAfter(times: Float64Array, ms: number): number {
  let low = 0;
  for (let high = times.length; low < high;) {
    const middle = (low + high) >> 1;
    if (Math.round(times[middle]!) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
