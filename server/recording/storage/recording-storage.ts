import type { Readable } from 'node:stream';

/** Bytes of a file, both included. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface DownloadOptions {
  /** What browsers call the saved file. */
  readonly fileName: string;
  readonly contentType: string;
  /** How long the URL works. */
  readonly seconds: number;
}

/**
 * Where the files of recordings are kept. Keys are relative paths that we make ourselves; see recording-record.ts.
 *
 * Every implementation passes test/server/recording/storage/recording-storage.contract.ts.
 */
export interface RecordingStorage {
  /** Stores a copy of a file of this machine, whole or not at all. @throws {Error} it cannot be stored now */
  put(key: string, file: string, contentType: string): Promise<void>;
  /** In bytes. Undefined: there is no such file. @throws {Error} that is not known now */
  size(key: string): Promise<number | undefined>;
  /** @throws {Error} there is no such file, or it cannot be read now */
  read(key: string, range: ByteRange): Promise<Readable>;
  /** A URL that saves the file without our server. Undefined: only `read` has it. */
  downloadUrl(key: string, options: DownloadOptions): Promise<string | undefined>;
  /** Does nothing for files that are not there. */
  remove(keys: readonly string[]): Promise<void>;
}
