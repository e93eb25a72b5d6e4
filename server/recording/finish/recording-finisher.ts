import type { Logger } from 'pino';
import { FairLimit } from '../../fair-limit.js';
import { attempt } from '../../faults/contain.js';
import { codecRuns } from '../codec-runs.js';
import type { FinishedFile, Packager } from '../packager.js';
import type { RecordingFiles } from '../recording-files.js';
import {
  newRecordingId,
  partSums,
  type RecordedPart,
  type RecordingFaultCode,
  type RecordingRecord,
} from '../recording-record.js';
import type { RecordingStore } from '../recording-store.js';
import { finishFailureOf } from './finish-retry.js';

export interface RecordingFinisherOptions {
  readonly packager: Pick<Packager, 'readPart' | 'finish'>;
  readonly store: Pick<RecordingStore, 'save' | 'divide' | 'findAny'>;
  readonly files: RecordingFiles;
  /** Fetches parts that are missing in the folder, if there is a copy of them. */
  readonly restoreParts: (record: RecordingRecord) => Promise<void>;
  /** The parts are of no use: nothing can be read from them. */
  readonly onUnreadable: (parts: readonly RecordedPart[]) => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Its file is complete, and its parts are still there. */
  readonly onReady: (record: RecordingRecord) => void;
  /** There is no file. Its parts are kept. */
  readonly onFailed: (record: RecordingRecord, error: unknown) => Promise<void>;
}

/** Makes the parts of recordings that are over into one file, one recording at a time, of each account in turn. */
export class RecordingFinisher {
  readonly #options: RecordingFinisherOptions;
  /** By id. */
  readonly #queued = new Set<string>();
  readonly #turns = new FairLimit({ atOnce: 1, ofOne: 1 });
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: RecordingFinisherOptions) {
    this.#options = options;
  }

  /** Never rejects. Resolves when it is done, or failed. Does nothing for a recording that is being finished. */
  async finish(record: RecordingRecord): Promise<void> {
    await this.#enqueue(record, () => this.#finish(record));
  }

  /** Reads first what an earlier run, attempt or server left, then as `finish`. */
  async recover(record: RecordingRecord): Promise<void> {
    await this.#enqueue(record, async () => {
      await this.#options.files.removeDivided(record);
      await this.#options.restoreParts(record);
      await this.#finish(await this.#readAgain(record));
    });
  }

  /** What waits is finished at the next start. Resolves when the present one is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#running);
  }

  async #enqueue(record: RecordingRecord, work: () => Promise<void>): Promise<void> {
    const { id, accountId } = record;
    if (this.#queued.has(id)) return;
    this.#queued.add(id);
    const run = async (): Promise<void> => {
      if (!this.#isClosed) await work().catch((error: unknown) => this.#failed(record, error));
      this.#queued.delete(id);
    };
    const done = this.#turns.run(accountId, run).finally(() => this.#running.delete(done));
    this.#running.add(done);
    await done;
  }

  async #failed(record: RecordingRecord, error: unknown): Promise<void> {
    // The packager may have been closed first. The next start finishes it.
    if (!this.#isClosed) await this.#options.onFailed(record, error);
  }

  async #finish(record: RecordingRecord): Promise<void> {
    const { store, files, log } = this.#options;
    const [parts, ...others] = codecRuns(record.parts.filter(({ bytes }) => bytes > 0));
    if (!parts) {
      const fault = record.fault ?? 'nothing_recorded';
      if (!(await store.save({ ...record, state: 'failed', parts: [], bytes: 0, fault }))) return this.#gone(record);
      await files.removeAll(record);
      log.warn({ recording: record.id, account: record.accountId, fault }, 'nothing of a recording could be kept');
      return;
    }
    const own = { ...record, ...spanOf(record, parts), parts, state: 'finishing' } as const;
    const isStored = others.length > 0 ? await this.#divide(record, own, others) : await store.save(own);
    if (!isStored) return await this.#gone(record);
    // `own`, because the other parts belong to other recordings now.
    await this.#makeFile(own).catch((error: unknown) => this.#failed(own, error));
  }

  async #makeFile(record: RecordingRecord): Promise<void> {
    const { packager, files } = this.#options;
    await files.removeDivided(record);
    const finished = await packager.finish(
      record.parts.map(({ name, startsAt }) => ({ file: files.fileOf(record, name), startsAt })),
      files.fileOf(record, 'recording'),
      rangeOf(record),
    );
    await this.#ready(record, finished);
  }

  /**
   * One file cannot have several codecs: what comes after the change becomes recordings of its own.
   * @param own the recording with the parts that it keeps
   * @returns false: it was deleted, or another server has taken it over
   */
  async #divide(record: RecordingRecord, own: RecordingRecord, runs: readonly RecordedPart[][]): Promise<boolean> {
    const { store, files } = this.#options;
    // A part that is not stored yet would be taken for one that another recording has.
    if (!(await store.save({ ...record, state: 'finishing' }))) return false;
    const others = runs.map(
      (parts) => ({ ...record, ...spanOf(record, parts), id: newRecordingId(), parts, state: 'finishing' }) as const,
    );
    for (const other of others) for (const { name } of other.parts) await files.share(record, other, name);
    await files.noteDivided(record, runs.flat());
    if (!(await store.divide(own, others))) {
      for (const other of others) await files.removeAll(other);
      return false;
    }
    for (const other of others) attempt('recording', () => this.finish(other));
    return true;
  }

  async #ready(record: RecordingRecord, { container, bytes, durationMs, groups }: FinishedFile): Promise<void> {
    const { store, files, onReady, log } = this.#options;
    await files.saveGroups(record, groups);
    const fault = record.fault === 'finish_failed' ? null : record.fault;
    const ready = { ...record, state: 'ready', container, bytes, durationMs: Math.round(durationMs), fault } as const;
    if (!(await store.save(ready))) return await this.#gone(record);
    log.info({ recording: record.id, account: record.accountId, bytes }, 'a recording is ready');
    onReady(ready);
  }

  /** It was deleted, or another server has taken it over. That one may not have all of it: the sweep comes later. */
  async #gone(record: RecordingRecord): Promise<void> {
    const { store, files, log } = this.#options;
    if (!(await store.findAny(record.id))) return await files.removeAll(record);
    log.warn({ recording: record.id, account: record.accountId }, 'a recording was taken over by another server');
  }

  async #readAgain(record: RecordingRecord): Promise<RecordingRecord> {
    const { packager, files, onUnreadable, log } = this.#options;
    const parts: RecordedPart[] = [];
    for (const name of await files.partNames(record)) {
      const known = record.parts.find((part) => part.name === name);
      const file = files.fileOf(record, name);
      try {
        const { video = null, audio = null, durationMs, bytes } = await packager.readPart(file);
        const startsAt = known?.startsAt ?? (await files.createdOn(record, name));
        const backup = known?.backup && { backup: known.backup };
        parts.push({ name, startsAt, durationMs: Math.round(durationMs), bytes, video, audio, ...backup });
      } catch (err) {
        // The part may be whole, and the packager or the disk have failed.
        if (finishFailureOf(err) !== 'unreadable') throw err;
        log.warn({ err, recording: record.id, account: record.accountId }, 'a part of a recording cannot be read');
      }
    }
    const bytesOf = (known: RecordedPart): number => parts.find(({ name }) => name === known.name)?.bytes ?? 0;
    onUnreadable(record.parts.filter((known) => bytesOf(known) === 0));
    const isLess = record.parts.some((known) => bytesOf(known) < known.bytes);
    const fault = record.state === 'recording' || isLess ? lossOf(record.fault) : record.fault;
    return { ...record, endedOn: endOf(record, parts), ...spanOf(record, parts), parts, fault, state: 'finishing' };
  }
}

/** What was lost of a recording whose server was lost, or a part of it. */
function lossOf(fault: RecordingFaultCode | null): RecordingFaultCode {
  // Of these, nothing was lost.
  const isNoLoss = fault === null || fault === 'upload_failed' || fault === 'finish_failed';
  return isNoLoss ? 'recorder_lost' : fault;
}

/** A clip has its time from whoever cut it. Undefined: everything. */
function rangeOf({ kind, startedOn, endedOn }: RecordingRecord): { from: number; to: number } | undefined {
  return kind === 'clip' && endedOn !== null ? { from: startedOn, to: endedOn } : undefined;
}

/** What the parts say about the recording. Those of a clip are longer than the clip. */
function spanOf({ kind, startedOn, endedOn }: RecordingRecord, parts: readonly RecordedPart[]) {
  const [first] = parts;
  const sums = partSums(parts);
  if (kind === 'clip') return { ...sums, bytes: 0, durationMs: 0, startedOn, endedOn };
  return first ? { ...sums, startedOn: first.startsAt, endedOn: first.startsAt + sums.durationMs } : sums;
}

function endOf({ startedOn, endedOn }: RecordingRecord, parts: readonly RecordedPart[]): number {
  const ends = parts.map(({ startsAt, durationMs }) => startsAt + durationMs);
  return ends.length > 0 ? Math.max(...ends) : (endedOn ?? startedOn);
}
