import type { Logger } from 'pino';
import { FairLimit } from '../../fair-limit.js';
import type { StartTimer } from '../open/open-recording.js';
import type { RecordingFiles } from '../recording-files.js';
import { mediaType, recordingKey, type RecordingRecord } from '../recording-record.js';
import type { RecordingStore } from '../recording-store.js';
import type { S3Storage } from './s3-storage.js';

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 5 * 60_000;
const MOST_AT_START = 10_000;

export interface RecordingUploadsOptions {
  readonly storage: S3Storage;
  readonly store: Pick<RecordingStore, 'findAny' | 'save' | 'listInFolder'>;
  readonly files: RecordingFiles;
  readonly startTimer: StartTimer;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** The file is in S3: the parts and their copies are needed by nobody but viewers who are going back in them. */
  readonly onUploaded: (record: RecordingRecord) => void;
}

/** What an account has to be copied. */
interface AccountUploads {
  /** Ids, the next one first. */
  readonly waiting: Set<string>;
  /** In a row. */
  failures: number;
  cancelRetry: (() => void) | undefined;
  running: Promise<void> | undefined;
}

/**
 * Copies files of recordings that are ready to S3: of an account one at a time, and of some accounts at once. What fails
 * is tried again until it is done, and keeps only the files of its account waiting.
 */
export class RecordingUploads {
  readonly #options: RecordingUploadsOptions;
  readonly #accounts = new Map<string, AccountUploads>();
  readonly #turns = new FairLimit({ atOnce: 4, ofOne: 1 });
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
  ready({ id, accountId }: Pick<RecordingRecord, 'id' | 'accountId'>): void {
    const account: AccountUploads = this.#accounts.get(accountId) ?? {
      waiting: new Set(),
      failures: 0,
      cancelRetry: undefined,
      running: undefined,
    };
    this.#accounts.set(accountId, account);
    account.waiting.add(id);
    this.#run(accountId, account);
  }

  /** Resolves when the present requests have ended. What waits is taken up at the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { cancelRetry } of this.#accounts.values()) cancelRetry?.();
    await Promise.all([...this.#accounts.values()].map(({ running }) => running));
  }

  #run(accountId: string, account: AccountUploads): void {
    if (this.#isClosed || account.cancelRetry) return;
    account.running ??= this.#uploadAll(accountId, account).finally(() => {
      account.running = undefined;
      if (account.waiting.size > 0) this.#run(accountId, account);
      else this.#accounts.delete(accountId);
    });
  }

  async #uploadAll(accountId: string, account: AccountUploads): Promise<void> {
    const { waiting } = account;
    for (let id = first(waiting); id !== undefined && !this.#isClosed; id = first(waiting)) {
      const next = id;
      const isDone = await this.#turns.run(accountId, async () => !this.#isClosed && (await this.#upload(next)));
      waiting.delete(id);
      if (!isDone) {
        // The last from now on: it may be this file that fails, and not S3.
        waiting.add(id);
        return this.#retryLater(accountId, account);
      }
      account.failures = 0;
    }
  }

  #retryLater(accountId: string, account: AccountUploads): void {
    if (this.#isClosed) return;
    const ms = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(account.failures, 10));
    account.failures += 1;
    account.cancelRetry = this.#options.startTimer(ms, () => {
      account.cancelRetry = undefined;
      this.#run(accountId, account);
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
      // It was deleted. Of another server that has taken it over, the file is the same.
      else if (!(await store.findAny(id))) await storage.remove([key]);
      log.info({ recording: id, account: record.accountId }, 'a recording was copied to S3');
      return true;
    } catch (err) {
      log.warn({ err, recording: id }, 'a recording was not copied to S3: it stays in the folder, and is tried again');
      if (record) await store.save({ ...record, fault: record.fault ?? 'upload_failed' }).catch(() => false);
      return false;
    }
  }
}

function first(waiting: ReadonlySet<string>): string | undefined {
  const [id] = waiting;
  return id;
}
