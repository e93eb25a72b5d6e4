import type { Tracks } from '../matroska/header.js';
import { PartReader, type ReadBlocks } from '../matroska/part-reader.js';
import { Mp4Part } from './mp4-part.js';

/** Media in order, that can be read from any group on: a part, or a finished file that a clip is cut from. */
export interface MediaFile {
  readonly tracks: Tracks;
  /** The positions of the first cluster, and behind the last one. */
  readonly start: number;
  readonly end: number;
  /** Of a finished file, whose positions are no bytes. */
  readonly bytes?: number;
  /** The clusters between two positions. A group begins with a cluster. */
  clusters(from?: number, to?: number): AsyncIterable<ReadBlocks>;
  /** All of them, for those who look for times: their blocks may have no data. */
  outline(): AsyncIterable<ReadBlocks>;
  close(): Promise<void>;
}

/** @throws as `PartReader.open` */
export async function openMedia(path: string): Promise<MediaFile> {
  return path.endsWith('.mp4') ? await Mp4Part.open(path) : await PartReader.open(path);
}

/** Opens a file for as long as `use` takes. */
export async function withMedia<Result>(path: string, use: (file: MediaFile) => Promise<Result>): Promise<Result> {
  const file = await openMedia(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
