import type { FileHandle } from 'node:fs/promises';
import type { Block } from '../matroska/cluster.js';
import type { Tracks } from '../matroska/header.js';
import { asUnreadable, openPart, type ReadBlocks } from '../matroska/part-reader.js';
import { decoderConfigsOfMp4, tracksOfConfigs } from './decoder-configs.js';
import { readMp4Index, type Mp4Track } from './mp4-index.js';

/** As long as the clusters of a part. */
const CLUSTER_MS = 500;
/** What is between the frames of a cluster is read with them, up to so many bytes. */
const MAX_SPAN_BYTES = 16 * 1024 * 1024;
const NO_DATA = Buffer.of();

interface Sample {
  readonly track: Mp4Track;
  readonly index: number;
}

/** A finished MP4 file as a part: its frames in clusters. A position is the number of the frame in the order of time. */
export class Mp4Part {
  readonly start = 0;
  readonly end: number;
  readonly bytes: number;
  readonly tracks: Tracks;
  readonly #file: FileHandle;
  readonly #index: readonly Mp4Track[];

  /** @throws as `PartReader.open` */
  static async open(path: string): Promise<Mp4Part> {
    const file = await openPart(path);
    try {
      const [index, { size }] = [await readMp4Index(file), await file.stat()];
      return new Mp4Part(file, size, index, tracksOfConfigs(await decoderConfigsOfMp4(path)));
    } catch (error) {
      await file.close();
      throw asUnreadable(error as Error);
    }
  }

  private constructor(file: FileHandle, bytes: number, index: readonly Mp4Track[], tracks: Tracks) {
    this.#file = file;
    this.bytes = bytes;
    this.#index = index;
    this.tracks = tracks;
    this.end = index.reduce((sum, { times }) => sum + times.length, 0);
  }

  async *clusters(from = this.start, to = this.end): AsyncGenerator<ReadBlocks> {
    for (const { position, samples } of this.#clusters(from, to)) {
      const data = await this.#read(samples);
      const blocks = samples.map((sample, index) => blockOf(sample, data[index]!));
      yield { position, end: position + samples.length, blocks };
    }
  }

  async *outline(): AsyncGenerator<ReadBlocks> {
    for (const { position, samples } of this.#clusters(this.start, this.end)) {
      const blocks = samples.map((sample) => blockOf(sample, NO_DATA));
      yield { position, end: position + samples.length, blocks };
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  *#clusters(from: number, to: number): Generator<{ readonly position: number; readonly samples: Sample[] }> {
    let samples: Sample[] = [];
    let position = from;
    for (const sample of this.#samples(from, to)) {
      const [first] = samples;
      if (first && (isKeyframe(sample) || timeOf(sample) - timeOf(first) >= CLUSTER_MS)) {
        yield { position, samples };
        position += samples.length;
        samples = [];
      }
      samples.push(sample);
    }
    if (samples.length > 0) yield { position, samples };
  }

  /** In the order of time. */
  *#samples(from: number, to: number): Generator<Sample> {
    const next = this.#index.map(() => 0);
    for (let position = 0; position < Math.min(to, this.end); position++) {
      let earliest: Sample | undefined;
      let which = 0;
      for (const [number, track] of this.#index.entries()) {
        const sample = { track, index: next[number]! };
        if (sample.index >= track.times.length || (earliest && timeOf(sample) >= timeOf(earliest))) continue;
        [earliest, which] = [sample, number];
      }
      next[which]! += 1;
      if (position >= from) yield earliest!;
    }
  }

  /** The frames of a cluster are near each other in the file: one read is enough. */
  async #read(samples: readonly Sample[]): Promise<readonly Buffer[]> {
    const places = samples.map(({ track, index }) => ({ at: track.offsets[index]!, size: track.sizes[index]! }));
    const start = places.reduce((least, { at }) => Math.min(least, at), Infinity);
    const end = places.reduce((most, { at, size }) => Math.max(most, at + size), 0);
    if (end - start > MAX_SPAN_BYTES) return await Promise.all(places.map(({ at, size }) => this.#bytes(at, size)));
    const span = await this.#bytes(start, end - start);
    return places.map(({ at, size }) => span.subarray(at - start, at - start + size));
  }

  async #bytes(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    await this.#file.read(bytes, 0, length, position);
    return bytes;
  }
}

const timeOf = ({ track, index }: Sample): number => Math.round(track.times[index]!);
const isKeyframe = ({ track, index }: Sample): boolean => track.kind === 'video' && track.keyframes[index] === 1;

function blockOf(sample: Sample, data: Buffer): Block {
  const { track, index } = sample;
  return { kind: track.kind, timestampMs: timeOf(sample), isKeyframe: track.keyframes[index] === 1, data };
}
