import type { Logger } from 'pino';
import type { BackgroundWork } from '../background-work.js';
import type { ClipPlan } from '../open/clip.js';
import type { OpenRecording, StartTimer } from '../open/open-recording.js';
import type { OpenRecordings } from '../open/open-recordings.js';
import { SAVE_EVERY_MS, type RecordingSaver } from '../open/recording-saver.js';
import type { Packager } from '../packager.js';
import type { RecordingFiles } from '../recording-files.js';
import type { RecordedPart, RecordingRecord } from '../recording-record.js';
import type { RecordingStore } from '../recording-store.js';
import { PartCopies } from '../storage/part-copies.js';
import { restoreMissingParts } from '../storage/part-restore.js';
import { RecordingUploads } from '../storage/recording-uploads.js';
import type { S3Storage } from '../storage/s3-storage.js';
import { afterFinishFailure, finishFailureOf } from './finish-retry.js';
import { RecordingFinisher } from './recording-finisher.js';

/** Viewers who went back in a recording may see its parts so long after its end. */
export const PARTS_KEPT_MS = 10 * 60_000;

export interface RecordingCompletionOptions {
  readonly recordings: OpenRecordings;
  readonly saver: Pick<RecordingSaver, 'save' | 'isUnsaved'>;
  readonly packager: Pick<Packager, 'readPart' | 'finish'>;
  readonly store: RecordingStore;
  readonly files: RecordingFiles;
  /** Undefined: recordings stay in the folder. */
  readonly s3: S3Storage | undefined;
  readonly startTimer: StartTimer;
  readonly work: BackgroundWork;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** A recording that could not be finished, and is tried again. */
interface FinishRetry {
  /** Attempts so far. */
  readonly failures: number;
  readonly cancel: () => void;
}

/** What becomes of recordings that are over: one file, its copy in S3, and in the end no parts. */
export class RecordingCompletion {
  /** Copies of parts that are being written. Undefined: there is no S3. */
  readonly copies: PartCopies | undefined;
  readonly #uploads: RecordingUploads | undefined;
  readonly #options: RecordingCompletionOptions;
  readonly #finisher: RecordingFinisher;
  /** Of recordings that wait for something, by id. */
  readonly #cancelTimers = new Map<string, () => void>();
  /** Those that could not be finished, by id. */
  readonly #retries = new Map<string, FinishRetry>();
  #isClosed = false;

  constructor(options: RecordingCompletionOptions) {
    const { packager, store, files, s3, startTimer, now, log, recordings, saver, work } = options;
    this.#options = options;
    this.#finisher = new RecordingFinisher({
      packager,
      store,
      files,
      restoreParts: async (record) => {
        if (s3) await restoreMissingParts(record, { storage: s3, files, log });
      },
      onUnreadable: (parts) => work.track(this.#forgetCopies(parts)),
      log,
      onReady: (ready) => this.#ready(ready),
      onFailed: (record, error) => this.#failed(record, error),
    });
    const onUploaded = (record: RecordingRecord): void => {
      if (!recordings.has(record.id)) work.track(this.#dropParts(record));
    };
    this.#uploads = s3 && new RecordingUploads({ storage: s3, store, files, startTimer, log, onUploaded });
    const save = async (id: string): Promise<boolean> => {
      const open = recordings.get(id);
      return open !== undefined && (await saver.save(open));
    };
    this.copies = s3 && new PartCopies({ storage: s3, save, startTimer, now, log });
  }

  /** Takes up what an earlier run of this server left. Resolves when it is found; the work goes on. */
  async recover(): Promise<void> {
    const { store, files, recordings, work } = this.#options;
    for (const record of await store.listUnfinished(files.nodeId)) {
      if (recordings.has(record.id)) continue;
      work.track(record.state === 'ready' ? this.#dropParts(record) : this.#finisher.recover(record));
    }
    this.#uploads?.recover();
  }

  /** Nothing of the recording is written any more. */
  complete(open: OpenRecording): void {
    this.#options.work.track(this.#complete(open));
  }

  cut(plan: ClipPlan): void {
    this.#options.work.track(this.#cut(plan));
  }

  /** Tries now to finish a recording of this server. Does nothing if that goes on. */
  finishNow(record: RecordingRecord): void {
    this.#forgetRetry(record.id);
    this.#options.work.track(this.#finisher.recover(record));
  }

  /** What waits is done at the next start. Resolves when the present work is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#cancelTimers.values()) cancel();
    for (const { cancel } of this.#retries.values()) cancel();
    await Promise.all([this.#finisher.close(), this.#uploads?.close(), this.copies?.close()]);
  }

  async #complete(open: OpenRecording): Promise<void> {
    const { saver } = this.#options;
    await saver.save(open);
    if (this.#isClosed) return;
    // Without its row, the file would belong to nobody.
    if (saver.isUnsaved(open)) return this.#later(open.id, SAVE_EVERY_MS, () => this.complete(open));
    await this.#finisher.finish(open.record);
    this.#forgetLater(open);
  }

  /** With parts of its own, a clip can be tried again, also when those of the broadcast are removed. */
  async #cut({ record, source, shared }: ClipPlan): Promise<void> {
    try {
      for (const { name, as } of shared) await this.#options.files.share(source, record, name, as);
    } catch (error) {
      return await this.#failed(record, error);
    }
    if (record.parts.some(({ storedAs }) => storedAs)) await this.#finisher.recover(record);
    else await this.#finisher.finish(record);
  }

  /** Viewers who went back go on with the parts; new ones too, so that all see the same. */
  #forgetLater({ id }: OpenRecording): void {
    const { recordings, work } = this.#options;
    this.#later(id, PARTS_KEPT_MS, () => {
      recordings.forget(id);
      work.track(this.#forgetParts(id));
    });
  }

  #later(id: string, ms: number, run: () => void): void {
    if (this.#isClosed) return;
    const cancel = this.#options.startTimer(ms, () => {
      this.#cancelTimers.delete(id);
      run();
    });
    this.#cancelTimers.set(id, cancel);
  }

  async #failed(record: RecordingRecord, err: unknown): Promise<void> {
    const { store, startTimer, work, log } = this.#options;
    const { id, accountId: account } = record;
    const failures = this.#retries.get(id)?.failures ?? 0;
    const step = afterFinishFailure(finishFailureOf(err), failures);
    const state = step.name === 'retry' ? 'finishing' : 'failed';
    await store
      .save({ ...record, state, fault: record.fault ?? 'finish_failed' })
      .catch((error: unknown) => log.error({ err: error, recording: id }, 'a recording could not be saved'));
    const fields = { err, recording: id, account, retryMs: step.name === 'retry' ? step.ms : null };
    log.error(fields, 'a recording could not be made ready to play: what was written is kept');
    if (step.name === 'give_up' || this.#isClosed) return this.#forgetRetry(id);
    const cancel = startTimer(step.ms, () => work.track(this.#finishAgain(record)));
    this.#retries.set(id, { failures: failures + 1, cancel });
  }

  async #finishAgain(failed: RecordingRecord): Promise<void> {
    // The owner may have deleted it, or have had it finished.
    const stored = await this.#options.store.findAny(failed.id).catch(() => failed);
    if (this.#isClosed) return;
    // The database may have been away when it ended: then it has an older state.
    const record = stored?.state === 'recording' ? failed : stored;
    if (record?.state === 'finishing' || record?.state === 'recording') await this.#finisher.recover(record);
    else this.#forgetRetry(failed.id);
  }

  #forgetRetry(id: string): void {
    this.#retries.get(id)?.cancel();
    this.#retries.delete(id);
  }

  async #forgetParts(id: string): Promise<void> {
    const { store, log } = this.#options;
    const record = await store.findAny(id).catch((err: unknown) => {
      log.warn({ err, recording: id }, 'the parts of a recording were not removed: they are at the next start');
      return undefined;
    });
    if (record?.state === 'ready') await this.#dropParts(record);
  }

  async #dropParts(record: RecordingRecord): Promise<void> {
    const { store, files, s3, log } = this.#options;
    try {
      if (record.location === 's3') {
        await files.removeAll(record);
        await this.#dropCopies(record.parts);
        await store.saveParts(record, []);
      } else {
        await files.removeParts(record);
        // If the machine is lost before the file is in S3, another one makes it again from the copies.
        await store.saveParts(record, s3 ? record.parts.filter(({ backup }) => backup) : []);
      }
    } catch (err) {
      log.warn({ err, recording: record.id }, 'the parts of a recording were not removed: they are at the next start');
    }
  }

  /** @throws {Error} S3 does not answer, or refuses */
  async #dropCopies(parts: readonly RecordedPart[]): Promise<void> {
    for (const { backup } of parts) if (backup) await this.#options.s3?.dropBackup(backup);
  }

  async #forgetCopies(parts: readonly RecordedPart[]): Promise<void> {
    await this.#dropCopies(parts).catch((err: unknown) => {
      this.#options.log.warn({ err }, 'pieces of a recording were not removed from S3');
    });
  }

  #ready(record: RecordingRecord): void {
    this.#forgetRetry(record.id);
    this.#uploads?.ready(record);
    const { recordings, work } = this.#options;
    // Nobody goes back in a clip, or in what an earlier run left.
    if (!recordings.has(record.id)) work.track(this.#dropParts(record));
  }
}
