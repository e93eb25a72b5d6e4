import type { Logger } from 'pino';
import type { BackgroundWork } from '../background-work.js';
import type { ClipPlan, ClipRange } from '../open/clip.js';
import type { OpenRecording, StartTimer } from '../open/open-recording.js';
import type { OpenRecordings } from '../open/open-recordings.js';
import { SAVE_EVERY_MS, type RecordingSaver } from '../open/recording-saver.js';
import type { Packager } from '../packager.js';
import type { RecordingFiles } from '../recording-files.js';
import type { RecordingRecord } from '../recording-record.js';
import type { RecordingStore } from '../recording-store.js';
import { RecordingUploads } from '../storage/recording-uploads.js';
import type { S3Storage } from '../storage/s3-storage.js';
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

/** What becomes of recordings that are over: one file, its copy in S3, and in the end no parts. */
export class RecordingCompletion {
  /** Undefined: there is no S3. */
  readonly uploads: RecordingUploads | undefined;
  readonly #options: RecordingCompletionOptions;
  readonly #finisher: RecordingFinisher;
  /** Of recordings that wait, by id. */
  readonly #cancelTimers = new Map<string, () => void>();
  #isClosed = false;

  constructor(options: RecordingCompletionOptions) {
    const { packager, store, files, s3, startTimer, now, log, recordings, work } = options;
    this.#options = options;
    this.#finisher = new RecordingFinisher({ packager, store, files, log, onReady: (ready) => this.#ready(ready) });
    const onUploaded = (record: RecordingRecord): void => {
      if (!recordings.has(record.id)) work.track(this.#dropParts(record));
    };
    this.uploads = s3 && new RecordingUploads({ storage: s3, store, files, startTimer, now, log, onUploaded });
  }

  /** Takes up what an earlier run of this server left. Resolves when it is found; the work goes on. */
  async recover(): Promise<void> {
    const { store, files, recordings, work } = this.#options;
    for (const record of await store.listUnfinished(files.nodeId)) {
      if (recordings.has(record.id)) continue;
      work.track(record.state === 'ready' ? this.#dropParts(record) : this.#finisher.recover(record));
    }
    this.uploads?.recover();
  }

  /** Nothing of the recording is written any more. */
  complete(open: OpenRecording): void {
    this.#options.work.track(this.#complete(open));
  }

  cut({ record, parts }: ClipPlan, range: ClipRange): void {
    this.#options.work.track(this.#finisher.clip(record, parts, range));
  }

  /** What waits is done at the next start. Resolves when the present work is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#cancelTimers.values()) cancel();
    await Promise.all([this.#finisher.close(), this.uploads?.close()]);
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

  async #forgetParts(id: string): Promise<void> {
    const { store, log } = this.#options;
    const record = await store.findAny(id).catch((err: unknown) => {
      log.warn({ err, recording: id }, 'the parts of a recording were not removed: they are at the next start');
      return undefined;
    });
    if (record?.state === 'ready') await this.#dropParts(record);
  }

  async #dropParts(record: RecordingRecord): Promise<void> {
    const { store, files, log } = this.#options;
    try {
      if (record.location === 's3') await files.removeAll(record);
      else await files.removeParts(record);
      await store.save({ ...record, parts: [] });
    } catch (err) {
      log.warn({ err, recording: record.id }, 'the parts of a recording were not removed: they are at the next start');
    }
  }

  #ready(record: RecordingRecord): void {
    this.uploads?.ready(record);
    const { recordings, work } = this.#options;
    // A clip has no parts, and what an earlier run left has no viewers.
    if (!recordings.has(record.id) && record.kind === 'broadcast') work.track(this.#dropParts(record));
  }
}
