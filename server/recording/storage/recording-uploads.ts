import { open } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { OpenPart, StartTimer } from '../open/open-recording.js';
import type { RecordingFiles } from '../recording-files.js';
import { mediaType, partKey, recordingKey, type RecordedPart, type RecordingRecord } from '../recording-record.js';
import type { RecordingStore } from '../recording-store.js';
import { readPiece, SMALLEST_PIECE, type S3Storage } from './s3-storage.js';

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** After a failed piece, the next one of the part is tried so much later. */
const BACKUP_RETRY_MS = 30_000;
const MOST_AT_START = 10_000;

export interface RecordingUploadsOptions {
  readonly storage: S3Storage;
  readonly store: Pick<RecordingStore, 'findAny' | 'save' | 'listInFolder'>;
  readonly files: RecordingFiles;
  readonly startTimer: StartTimer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** The file is in S3: that of the folder is needed by nobody but viewers who are going back in it. */
  readonly onUploaded: (record: RecordingRecord) => void;
}

/**
 * Copies recordings to S3: pieces of parts while they are written, so that little is lost with the machine, and files
 * that are ready, one at a time. What fails is tried again until it is done.
 */
export class RecordingUploads {
  readonly #options: RecordingUploadsOptions;
  readonly #waiting = new Set<string>();
  readonly #backingUp = new Map<OpenPart, Promise<void>>();
  readonly #backupAfter = new Map<OpenPart, number>();
  #attempt = 0;
  #cancelRetry: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: RecordingUploadsOptions) {
    this.#options = options;
  }

  /** Takes up what an earlier run left in the folder. */
  recover(): void {
    const { store, files, log } = this.#options;
    store.listInFolder(files.nodeId, MOST_AT_START).then(
      (records) => records.forEach((record) => this.ready(record)),
      (err: unknown) =>
        log.warn({ err }, 'the recordings to be copied to S3 are not known: they are at the next start'),
    );
  }

  /** Copies a file that is ready. */
  ready({ id }: RecordingRecord): void {
    this.#waiting.add(id);
    this.#run();
  }

  /** More of a part is on disk. */
  grown(record: RecordingRecord, part: OpenPart): void {
    if (this.#isClosed || this.#backingUp.has(part)) return;
    const done = (part.backup?.etags.length ?? 0) * SMALLEST_PIECE;
    if (part.bytes - done < SMALLEST_PIECE || this.#options.now() < (this.#backupAfter.get(part) ?? 0)) return;
    const work = this.#backUp(record, part, done).finally(() => this.#backingUp.delete(part));
    this.#backingUp.set(part, work);
  }

  /** Resolves when the present request has ended. What waits is taken up at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await Promise.allSettled([this.#running, ...this.#backingUp.values()]);
  }

  async #backUp(record: RecordingRecord, part: OpenPart, from: number): Promise<void> {
    const { storage, now, log } = this.#options;
    const key = partKey(record, nameOf(part));
    try {
      part.backup ??= await storage.beginBackup(key, mediaType(key));
      const handle = await open(part.start.file, 'r');
      try {
        part.backup = await storage.addPiece(key, part.backup, await readPiece(handle, from, SMALLEST_PIECE));
      } finally {
        await handle.close();
      }
      this.#backupAfter.delete(part);
    } catch (err) {
      this.#backupAfter.set(part, now() + BACKUP_RETRY_MS);
      log.warn({ err, recording: record.id }, 'a piece of a recording was not copied to S3: it is in the folder');
    }
  }

  #run(): void {
    if (this.#isClosed || this.#cancelRetry) return;
    this.#running ??= this.#uploadAll().finally(() => (this.#running = undefined));
  }

  async #uploadAll(): Promise<void> {
    for (let id = first(this.#waiting); id !== undefined && !this.#isClosed; id = first(this.#waiting)) {
      if (!(await this.#upload(id))) return this.#retryLater();
      this.#attempt = 0;
      this.#waiting.delete(id);
    }
  }

  #retryLater(): void {
    if (this.#isClosed) return;
    const ms = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.#attempt, 10));
    this.#attempt += 1;
    this.#cancelRetry = this.#options.startTimer(ms, () => {
      this.#cancelRetry = undefined;
      this.#run();
    });
  }

  /** @returns false: it is to be tried again */
  async #upload(id: string): Promise<boolean> {
    const { storage, store, files, log, onUploaded } = this.#options;
    let record: RecordingRecord | undefined;
    try {
      record = await store.findAny(id);
      // Deleted, or done by an earlier attempt.
      if (record?.state !== 'ready' || record.location !== 'folder') return true;
      const key = recordingKey(record);
      if ((await files.storage.size(key)) === undefined) {
        log.warn(
          { recording: id, account: record.accountId },
          'the file of a recording is gone: it cannot be copied to S3',
        );
        return true;
      }
      await storage.put(key, files.storage.pathOf(key), mediaType(key));
      const fault = record.fault === 'upload_failed' ? null : record.fault;
      // The parts may have been removed meanwhile.
      const { parts } = (await store.findAny(id)) ?? record;
      const uploaded = { ...record, location: 's3', fault, parts } as const;
      if (await store.save(uploaded)) onUploaded(uploaded);
      else await storage.remove([key]);
      await this.dropBackups(record, record.parts);
      log.info({ recording: id, account: record.accountId }, 'a recording was copied to S3');
      return true;
    } catch (err) {
      log.warn({ err, recording: id }, 'a recording was not copied to S3: it stays in the folder, and is tried again');
      if (record) await store.save({ ...record, fault: record.fault ?? 'upload_failed' }).catch(() => false);
      return false;
    }
  }

  /** The pieces of parts are of no use any more. Never rejects. */
  async dropBackups(record: RecordingRecord, parts: readonly RecordedPart[]): Promise<void> {
    for (const part of parts) {
      if (!part.backup) continue;
      await this.#options.storage.dropBackup(partKey(record, part), part.backup).catch((err: unknown) => {
        this.#options.log.warn({ err, recording: record.id }, 'pieces of a recording were not removed from S3');
      });
    }
  }
}

function nameOf({ start: { file } }: OpenPart): { name: string } {
  return { name: file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1) };
}

function first(waiting: ReadonlySet<string>): string | undefined {
  const [id] = waiting;
  return id;
}
