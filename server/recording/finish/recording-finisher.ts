import type { Logger } from 'pino';
import type { FinishedFile, Packager, PartFile } from '../packager.js';
import type { RecordingFiles } from '../recording-files.js';
import {
  newRecordingId,
  runsOfCodecs,
  partSums,
  type RecordedPart,
  type RecordingRecord,
} from '../recording-record.js';
import type { RecordingStore } from '../recording-store.js';

export interface RecordingFinisherOptions {
  readonly packager: Pick<Packager, 'readPart' | 'finish'>;
  readonly store: Pick<RecordingStore, 'add' | 'save'>;
  readonly files: RecordingFiles;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Its file is complete, and its parts are still there. */
  readonly onReady: (record: RecordingRecord) => void;
}

/** Makes the parts of recordings that are over into one file, one recording at a time. */
export class RecordingFinisher {
  readonly #options: RecordingFinisherOptions;
  #queue: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: RecordingFinisherOptions) {
    this.#options = options;
  }

  /** Never rejects: what fails is logged, kept, and tried again at the next start. Resolves when it is done. */
  async finish(record: RecordingRecord): Promise<void> {
    await this.#enqueue(record, () => this.#finish(record));
  }

  /** Reads what a recording of an earlier run left, then as `finish`. */
  async recover(record: RecordingRecord): Promise<void> {
    await this.#enqueue(record, async () => this.#finish(await this.#readAgain(record)));
  }

  /** Cuts a clip. As `finish`. @param range in milliseconds since 1970 */
  async clip(record: RecordingRecord, parts: readonly PartFile[], range: { from: number; to: number }): Promise<void> {
    await this.#enqueue(record, async () => {
      const { packager, files } = this.#options;
      await files.makeFolder(record);
      const finished = await packager.finish(parts, files.fileOf(record, 'recording'), range);
      await this.#ready(record, finished);
    });
  }

  /** What waits is finished at the next start. Resolves when the present one is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue;
  }

  async #enqueue(record: RecordingRecord, work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      if (this.#isClosed) return;
      try {
        await work();
      } catch (err) {
        if (this.#isClosed) return;
        await this.#failed(record, err);
      }
    };
    this.#queue = this.#queue.then(run);
    await this.#queue;
  }

  async #failed(record: RecordingRecord, err: unknown): Promise<void> {
    const { store, log } = this.#options;
    const { id, accountId: account, kind } = record;
    log.error({ err, recording: id, account }, 'a recording could not be made ready to play: what was written is kept');
    // A clip has nothing to begin again with.
    const state = kind === 'clip' ? 'failed' : 'finishing';
    await store
      .save({ ...record, state, fault: 'finish_failed' })
      .catch((error: unknown) => log.error({ err: error, recording: id }, 'a recording could not be saved'));
  }

  async #finish(record: RecordingRecord): Promise<void> {
    const { packager, store, files, log } = this.#options;
    const [parts, ...others] = runsOfCodecs(record.parts.filter(({ bytes }) => bytes > 0));
    if (!parts) {
      const fault = record.fault ?? 'nothing_recorded';
      await store.save({ ...record, state: 'failed', parts: [], bytes: 0, fault });
      await files.removeAll(record);
      log.warn({ recording: record.id, account: record.accountId, fault }, 'nothing of a recording could be kept');
      return;
    }
    const rest = await this.#divide(record, others);
    const own = { ...record, ...spanOf(parts), parts };
    await store.save({ ...own, state: 'finishing' });
    for (const { name } of others.flat()) await files.removePart(record, name);
    const finished = await packager.finish(
      parts.map(({ name, startsAt }) => ({ file: files.fileOf(record, name), startsAt })),
      files.fileOf(record, 'recording'),
    );
    await this.#ready(own, finished);
    for (const other of rest) await this.#finish(other).catch((err: unknown) => this.#failed(other, err));
  }

  /** One file cannot have several codecs: what comes after the change becomes recordings of its own. */
  async #divide(record: RecordingRecord, runs: readonly RecordedPart[][]): Promise<RecordingRecord[]> {
    const { store, files } = this.#options;
    const divided: RecordingRecord[] = [];
    for (const parts of runs) {
      const other = { ...record, ...spanOf(parts), id: newRecordingId(), parts, state: 'finishing' } as const;
      for (const { name } of parts) await files.share(record, other, name);
      await store.add(other);
      divided.push(other);
    }
    return divided;
  }

  async #ready(record: RecordingRecord, { container, bytes, durationMs, groups }: FinishedFile): Promise<void> {
    const { store, files, onReady, log } = this.#options;
    await files.saveGroups(record, groups);
    const fault = record.fault === 'finish_failed' ? null : record.fault;
    const ready = { ...record, state: 'ready', container, bytes, durationMs: Math.round(durationMs), fault } as const;
    // Deleted meanwhile.
    if (!(await store.save(ready))) return await files.removeAll(record);
    log.info({ recording: record.id, account: record.accountId, bytes }, 'a recording is ready');
    onReady(ready);
  }

  async #readAgain(record: RecordingRecord): Promise<RecordingRecord> {
    const { packager, files, log } = this.#options;
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
        log.warn({ err, recording: record.id, account: record.accountId }, 'a part of a recording cannot be read');
      }
    }
    const fault = record.state === 'recording' ? (record.fault ?? 'recorder_lost') : record.fault;
    return { ...record, ...spanOf(parts), parts, fault, state: 'finishing', endedOn: endOf(record, parts) };
  }
}

function spanOf(parts: readonly RecordedPart[]) {
  const [first] = parts;
  const { durationMs, ...sums } = partSums(parts);
  return first
    ? { ...sums, durationMs, startedOn: first.startsAt, endedOn: first.startsAt + durationMs }
    : { ...sums, durationMs };
}

function endOf({ startedOn, endedOn }: RecordingRecord, parts: readonly RecordedPart[]): number {
  const ends = parts.map(({ startsAt, durationMs }) => startsAt + durationMs);
  return ends.length > 0 ? Math.max(...ends) : (endedOn ?? startedOn);
}
