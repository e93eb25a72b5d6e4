import { once } from 'node:events';
import type { KeyObject } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type {
  CreateRecordingLink,
  RecordingSettingsBody,
  RecordingsQuery,
  UpdateRecording,
  UpdateRecordingSettings,
} from '../../src/wire/management/recording.js';
import { ApiError, ConflictError, NotFoundError } from '../errors.js';
import { linkPath, linkVerdict, type RecordingLink } from './recording-links.js';
import type { RecordingQuota } from './recording-quota.js';
import { mediaType, recordingKey, type RecordingRecord } from './recording-record.js';
import { RecordingRemoval } from './recording-removal.js';
import type { RecordingListPage, RecordingStore } from './recording-store.js';
import type { FolderStorage } from './storage/folder-storage.js';
import type { ByteRange, RecordingStorage } from './storage/recording-storage.js';
import { S3StorageError, type S3Storage } from './storage/s3-storage.js';

const LINK_SECONDS = 3_600;
/** A download from S3 begins at once, and may be taken up again for so long. */
const DOWNLOAD_SECONDS = 3_600;

export interface RecordingLibraryOptions {
  readonly store: RecordingStore;
  readonly quota: RecordingQuota;
  /** Undefined: this server has no folder, and records nothing. */
  readonly folder: FolderStorage | undefined;
  /** Undefined: files stay in the folder. */
  readonly s3: S3Storage | undefined;
  /** Undefined: no links are made here. */
  readonly linkKey?: KeyObject | undefined;
  /** Whether this server records. */
  readonly isAvailable: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** The file of a recording, to be sent. */
export interface RecordingMedia {
  readonly contentType: string;
  readonly fileName: string;
  readonly bytes: number;
  /** Resolves when the first byte is there. @throws {ApiError} `recording_storage_unavailable` */
  /** Resolves when the first byte is there. @throws {ApiError} `recording_storage_unavailable` */
  read(range: ByteRange): Promise<Readable>;
  /** Where browsers save it from instead. Undefined: from here. */
  downloadUrl(): Promise<string | undefined>;
}

/** The recordings of accounts: to list, play, keep and delete. */
export class RecordingLibrary {
  readonly #options: RecordingLibraryOptions;
  readonly #removal: RecordingRemoval;

  constructor(options: RecordingLibraryOptions) {
    this.#options = options;
    this.#removal = new RecordingRemoval(options);
  }

  async list(accountId: string, query: RecordingsQuery): Promise<RecordingListPage> {
    return await this.#options.store.list(accountId, query);
  }

  /** @throws {NotFoundError} `recording_not_found` @throws {ConflictError} `stored_row_unreadable` */
  async get(accountId: string, id: string): Promise<RecordingRecord> {
    const record = found(await this.#options.store.find(accountId, id), id);
    if (record.fault === 'stored_row_unreadable') throw unreadable();
    return record;
  }

  /** @throws {NotFoundError} `recording_not_found` */
  async update(accountId: string, id: string, { expiresOn }: UpdateRecording): Promise<RecordingRecord> {
    const time = expiresOn === null ? null : Date.parse(expiresOn);
    return found(await this.#options.store.setExpiry({ accountId, id }, time, this.#options.now()), id);
  }

  /**
   * @throws {ApiError} `recording_not_found`, `recording_in_progress`; `recording_storage_unavailable`: S3 keeps its
   *   file, and nothing is deleted
   */
  async remove(accountId: string, id: string): Promise<void> {
    const removed = await this.#removal.remove(accountId, id).catch((error: unknown) => {
      if (error instanceof S3StorageError) unavailable(error);
      throw error;
    });
    found(removed, id);
  }

  /** @throws {NotFoundError} `recording_not_found` @throws {ConflictError} `recording_not_ready` */
  async link(
    accountId: string,
    id: string,
    { seconds = LINK_SECONDS, download = false }: CreateRecordingLink,
  ): Promise<{ readonly path: string; readonly expiresOn: string }> {
    const { linkKey, now } = this.#options;
    if (!linkKey) throw new Error('this part of the server makes no links');
    mustBeReady(await this.get(accountId, id));
    const expires = Math.floor(now() / 1_000) + seconds;
    const path = linkPath(linkKey, { recordingId: id, expires, isDownload: download });
    return { path, expiresOn: new Date(expires * 1_000).toISOString() };
  }

  /**
   * The file that a link opens.
   * @throws {ApiError} `recording_link_invalid`, `recording_link_expired`, `recording_not_found`, `recording_not_ready`,
   *   `recording_file_missing`, `recording_storage_unavailable`
   */
  async open(link: RecordingLink, signature: string): Promise<RecordingMedia> {
    const { linkKey, now, store, s3 } = this.#options;
    const verdict = linkKey ? linkVerdict(linkKey, link, signature, now()) : 'invalid';
    if (verdict === 'expired') {
      throw new ApiError(403, 'recording_link_expired', 'This link has expired: ask for a new one');
    }
    if (verdict === 'invalid') {
      throw new ApiError(403, 'recording_link_invalid', 'This link is not complete, or was changed: ask for a new one');
    }
    const record = found(await store.findAny(link.recordingId), link.recordingId);
    const { storage, key, bytes } = await this.locate(record);
    const contentType = mediaType(key);
    const fileName = fileNameOf(record);
    return {
      contentType,
      fileName,
      bytes,
      async read(range) {
        try {
          return await begun(await storage.read(key, range));
        } catch (error) {
          return unavailable(error);
        }
      },
      downloadUrl: async () =>
        storage === s3 ? await s3.downloadUrl(key, { contentType, fileName, seconds: DOWNLOAD_SECONDS }) : undefined,
    };
  }

  /**
   * Where the file of a recording is.
   * @throws {ApiError} `recording_not_ready`, `recording_file_missing`, `recording_storage_unavailable`
   */
  async locate(record: RecordingRecord) {
    const storage = this.#storageOf(mustBeReady(record));
    const key = recordingKey(record);
    const bytes = await storage?.size(key).catch((error: unknown) => unavailable(error));
    if (storage && bytes !== undefined) return { storage, key, bytes };
    const message = 'The file of this recording is not on this server: another server has it, or it was removed';
    throw new NotFoundError('recording_file_missing', message);
  }

  async settings(accountId: string): Promise<RecordingSettingsBody> {
    const { level, ...state } = await this.#options.quota.of(accountId);
    const warning = level === 'near' ? 'quota_near' : level === 'full' ? 'quota_exceeded' : null;
    return { isAvailable: this.#options.isAvailable, ...state, warning };
  }

  async updateSettings(accountId: string, change: UpdateRecordingSettings): Promise<RecordingSettingsBody> {
    const { retentionDays, quotaBytes } = change;
    const given = {
      ...(retentionDays !== undefined && { retentionDays }),
      ...(quotaBytes !== undefined && { quotaBytes }),
    };
    await this.#options.store.updateSettings(accountId, given, this.#options.now());
    return await this.settings(accountId);
  }

  /** Deletes what has expired. @param time milliseconds since 1970 @returns how many */
  async deleteExpired(time: number, signal: AbortSignal): Promise<number> {
    return await this.#removal.removeExpired(time, signal);
  }

  #storageOf({ location }: RecordingRecord): RecordingStorage | undefined {
    return location === 's3' ? this.#options.s3 : this.#options.folder;
  }
}

/** Such as `main-2026-11-20-1900.mp4`: letters, digits and `-` alone. */
export function fileNameOf({ streamName, startedOn, container }: RecordingRecord): string {
  const stream =
    streamName
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'recording';
  const time = new Date(startedOn).toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  return `${stream}-${time}.${container ?? 'mp4'}`;
}

function found(record: RecordingRecord | undefined, id: string): RecordingRecord {
  if (record) return record;
  throw new NotFoundError('recording_not_found', `No recording with id: ${id}`);
}

function mustBeReady(record: RecordingRecord): RecordingRecord {
  if (record.state === 'ready') return record;
  const message =
    record.state === 'failed'
      ? 'Nothing of this recording could be kept: there is no file'
      : 'This recording is not ready to play yet: try again when its state is ready';
  throw new ConflictError('recording_not_ready', message);
}

/** The stream, when its first byte is there. Rejects if none comes: until then, the caller can be told. */
async function begun(body: Readable): Promise<Readable> {
  try {
    await once(body, 'readable');
    return body;
  } catch (error) {
    body.destroy();
    throw error;
  }
}

function unreadable(): ConflictError {
  return new ConflictError('stored_row_unreadable', 'What is stored of this recording cannot be read: delete it');
}

function unavailable(cause: unknown): never {
  const message = 'The storage of the recordings does not answer: try again in a moment';
  throw new ApiError(503, 'recording_storage_unavailable', message, { cause, headers: { 'retry-after': '10' } });
}
