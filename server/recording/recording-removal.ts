import type { Logger } from 'pino';
import { ApiError, ConflictError } from '../errors.js';
import { recordingFolder, recordingKey, type RecordingRecord } from './recording-record.js';
import { isSilent, type RecordingStore } from './recording-store.js';
import type { FolderStorage } from './storage/folder-storage.js';
import { S3StorageError, type S3Storage } from './storage/s3-storage.js';

/** Deleted in one step of the pruning job. */
const EXPIRED_AT_ONCE = 50;

export interface RecordingRemovalOptions {
  readonly store: Pick<RecordingStore, 'find' | 'lastRunning' | 'listExpired' | 'remove'>;
  /** Undefined: this server has no folder. */
  readonly folder: FolderStorage | undefined;
  /** Undefined: this process has no S3, though others may. */
  readonly s3: S3Storage | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

/** Deletes recordings with their files. What is in S3 goes first: nobody finds it there without the recording. */
export class RecordingRemoval {
  readonly #options: RecordingRemovalOptions;

  constructor(options: RecordingRemovalOptions) {
    this.#options = options;
  }

  /**
   * @returns undefined: there is none
   * @throws {ApiError} `recording_in_progress`; `recording_storage_unavailable`: it is in S3, which this process has not
   * @throws {S3StorageError} S3 keeps its file, and nothing is deleted
   */
  async remove(accountId: string, id: string): Promise<RecordingRecord | undefined> {
    const { store, now } = this.#options;
    const record = await store.find(accountId, id);
    if (!record) return undefined;
    if (record.state === 'recording' && !isSilent(await store.lastRunning(record.nodeId), now())) throw inProgress();
    const removed = await this.#remove(record, now());
    if (removed === 'open') throw inProgress();
    return removed;
  }

  /**
   * Deletes what has expired. What is in an S3 that does not answer, or that this process does not have, waits.
   * @param time milliseconds since 1970
   * @returns how many
   */
  async removeExpired(time: number, signal: AbortSignal): Promise<number> {
    const { store, s3, log } = this.#options;
    let isS3Away = s3 === undefined;
    let count = 0;
    let last: RecordingRecord | undefined;
    while (!signal.aborted) {
      const expired = await store.listExpired(time, EXPIRED_AT_ONCE, last);
      if (expired.length === 0) return count;
      for (const record of expired) {
        if (signal.aborted) return count;
        if (isS3Away && isInS3(record)) continue;
        try {
          const removed = await this.#remove(record, time);
          if (removed !== undefined && removed !== 'open') count += 1;
        } catch (err) {
          if (!(err instanceof S3StorageError)) throw err;
          isS3Away ||= err.status === undefined;
          log.warn({ err, recording: record.id }, 'a recording that expired was not deleted, because it is in S3');
        }
      }
      last = expired.at(-1);
    }
    return count;
  }

  async #remove(record: RecordingRecord, time: number): Promise<RecordingRecord | 'open' | undefined> {
    const { store, folder } = this.#options;
    if (isInS3(record)) await this.#removeFromS3(record);
    const removed = await store.remove(record.accountId, record.id, time);
    if (removed === undefined || removed === 'open') return removed;
    const failed = (error: unknown) => this.#failed(record, error);
    // What is left in the folder is found by the next sweep.
    await folder?.removeFolder(recordingFolder(record)).catch(failed);
    // It may have been copied meanwhile.
    if (!isInS3(record) || removed.location !== record.location) await this.#removeFromS3(removed).catch(failed);
    return removed;
  }

  async #removeFromS3(record: RecordingRecord): Promise<void> {
    const { s3 } = this.#options;
    if (!s3 && isInS3(record)) throw noStorage();
    if (!s3) return;
    await s3.remove([recordingKey(record)]);
    for (const { backup } of record.parts) if (backup) await s3.dropBackup(backup);
  }

  #failed({ id }: RecordingRecord, err: unknown): void {
    this.#options.log.warn({ err, recording: id }, 'files of a deleted recording were not removed');
  }
}

/** Its file, or a copy of its parts. */
function isInS3({ location, parts }: RecordingRecord): boolean {
  return location === 's3' || parts.some(({ backup }) => backup);
}

function inProgress(): ConflictError {
  const message = 'The stream is being recorded: stop the recording first, then delete it';
  return new ConflictError('recording_in_progress', message);
}

function noStorage(): ApiError {
  const message =
    'The file of this recording is in S3, and RECORDINGS_S3_… is not set here: delete it where that is set, or set it';
  return new ApiError(503, 'recording_storage_unavailable', message);
}
