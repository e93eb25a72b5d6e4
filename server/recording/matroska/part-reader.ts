import { open, type FileHandle } from 'node:fs/promises';
import { isFileFault, isMissing } from '../storage/file-fault.js';
import { readCluster, type Block } from './cluster.js';
import { ID, LONGEST_HEADER, readHeader } from './ebml.js';
import { readTracks, type Tracks } from './header.js';

/** The description of two tracks needs far fewer bytes. */
const MAX_TRACKS_BYTES = 256 * 1024;
/** The elements before the first cluster. The files that we write have up to six. */
const MAX_HEADER_ELEMENTS = 32;
/** A cluster ends after a megabyte, and one frame is a few megabytes at most. */
const MAX_CLUSTER_BYTES = 64 * 1024 * 1024;

export interface ReadBlocks {
  /** Of the cluster in the file. */
  readonly position: number;
  /** Where its last complete block ends. */
  readonly end: number;
  readonly blocks: readonly Block[];
}

/** The file cannot be read as a part. The message names the cause. */
export class PartUnreadableError extends Error {
  override name = 'PartUnreadableError';
}

/** A part as it is on disk, complete or not. */
export class PartReader {
  readonly tracks: Tracks;
  /** In bytes: where the first cluster begins, and where the file ends. */
  readonly start: number;
  readonly end: number;
  readonly #file: FileHandle;

  /**
   * @throws {PartUnreadableError} if the file is missing, or does not begin as a part does
   * @throws {Error} of the file system: the file may be whole
   */
  static async open(path: string): Promise<PartReader> {
    const file = await openPart(path);
    try {
      const { size } = await file.stat();
      const { tracks, headerBytes } = await parseHeader(file);
      return new PartReader(file, size, tracks, headerBytes);
    } catch (error) {
      await file.close();
      throw asUnreadable(error as Error);
    }
  }

  private constructor(file: FileHandle, size: number, tracks: Tracks, headerBytes: number) {
    this.#file = file;
    this.end = size;
    this.tracks = tracks;
    this.start = headerBytes;
  }

  /**
   * The clusters between two positions, up to the last complete block of the file.
   * @param from a position of a cluster. Default: the first one
   */
  async *clusters(from = this.start, to = this.end): AsyncGenerator<ReadBlocks> {
    const end = Math.min(to, this.end);
    for (let position = from; position < end;) {
      const header = readHeader(await bytesAt(this.#file, position, Math.min(LONGEST_HEADER, end - position)), 0);
      if (header?.id !== ID.cluster || header.size === undefined || header.size > MAX_CLUSTER_BYTES) return;
      const dataAt = position + header.dataAt;
      const content = await bytesAt(this.#file, dataAt, Math.min(header.size, end - dataAt));
      const { blocks, bytes } = readCluster(content);
      if (blocks.length > 0) yield { position, end: dataAt + bytes, blocks };
      if (content.length < header.size) return;
      position = dataAt + header.size;
    }
  }

  /** All clusters. */
  outline(): AsyncGenerator<ReadBlocks> {
    return this.clusters();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** @throws {PartUnreadableError} it is missing */
export async function openPart(path: string): Promise<FileHandle> {
  return await open(path).catch((error: Error) => {
    if (!isMissing(error)) throw error;
    throw new PartUnreadableError(`the recorded file cannot be opened: ${error.message}`);
  });
}

/** Of a disk that failed, the file may be whole: such an error stays what it is. */
export function asUnreadable(error: Error): Error {
  if (error instanceof PartUnreadableError || isFileFault(error)) return error;
  return new PartUnreadableError(`the recorded file cannot be read: ${error.message}`);
}

async function parseHeader(file: FileHandle): Promise<{ readonly tracks: Tracks; readonly headerBytes: number }> {
  let tracks: Tracks | undefined;
  let position = 0;
  for (let count = 0; count < MAX_HEADER_ELEMENTS; count++) {
    const header = readHeader(await bytesAt(file, position, LONGEST_HEADER), 0);
    if (!header || (position === 0 && header.id !== ID.ebml)) break;
    if (header.id === ID.cluster && tracks) return { tracks, headerBytes: position };
    const dataAt = position + header.dataAt;
    // The other elements are in the segment.
    position = header.id === ID.segment ? dataAt : dataAt + (header.size ?? Infinity);
    if (!Number.isSafeInteger(position)) break;
    if (header.id !== ID.tracks) continue;
    if (position - dataAt > MAX_TRACKS_BYTES) break;
    tracks = readTracks(await bytesAt(file, dataAt, position - dataAt));
  }
  throw new PartUnreadableError('the recorded file has no media that can be read');
}

/** Fewer bytes if the file ends. */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, length));
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, position + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}
