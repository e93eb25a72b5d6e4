import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { catchErrors } from '../catch-errors.js';
import { ConflictError } from '../errors.js';
import type { MediaEngine, SourceId } from '../media/media-engine.js';
import { streamIdOf, type StreamRegistry } from '../streams/stream-registry.js';
import { OpenRecording, type OpenPart, type StartTimer } from './open-recording.js';
import type { Packager } from './packager.js';
import type { PartEnd, Recorder } from './recorder.js';
import { RecordingError, type RecordingControl, type RecordingControlEvents } from './recording-control.js';
import type { RecordingFiles } from './recording-files.js';
import { RecordingFinisher } from './recording-finisher.js';
import { newRecordingId, type RecordingFaultCode, type RecordingRecord } from './recording-record.js';
import type { RecordingQuota } from './recording-quota.js';
import { RecordingReader } from './recording-reader.js';
import type { RecordingStore } from './recording-store.js';
import { RecordingUploads } from './recording-uploads.js';
import type { S3Storage } from './storage/s3-storage.js';

const DAY_MS = 86_400_000;
/** A recording is saved this often while it grows, and the quota is compared. */
export const SAVE_EVERY_MS = 10_000;
/** Viewers who went back in a recording may see its parts so long after its end. */
export const PARTS_KEPT_MS = 10 * 60_000;
/** A publisher who left may come back to the same recording. */
const COME_BACK_MS = 60_000;
const KEYFRAME_EVERY_MS = 2_000;

export interface RecordingServiceOptions {
  readonly engine: Pick<MediaEngine, 'on' | 'tapAddress'>;
  readonly streams: Pick<StreamRegistry, 'publisherOf'>;
  /** Whether a publish token says that its broadcasts are recorded. */
  readonly tokenRecords: (tokenId: number) => boolean;
  readonly recorder: Recorder;
  readonly packager: Pick<Packager, 'readPart' | 'finish'>;
  readonly store: RecordingStore;
  readonly files: RecordingFiles;
  readonly quota: RecordingQuota;
  /** Undefined: recordings stay in the folder. */
  readonly s3?: S3Storage | undefined;
  /** How long the server keeps the source of a lost publisher. */
  readonly leaseMs: number;
  readonly startTimer?: StartTimer | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** What somebody asked for, until the broadcast of the source ends. */
interface Wish {
  readonly isOn: boolean;
  /** Undefined: nobody publishes yet. */
  readonly tokenId: number | undefined;
  cancelForgetting?: (() => void) | undefined;
}

/** Decides what is recorded, and keeps track of it until its file is ready. */
export class RecordingService extends EventEmitter<RecordingControlEvents> implements RecordingControl {
  readonly isAvailable = true;
  /** For viewers who go back. */
  readonly reader: RecordingReader;
  readonly #options: RecordingServiceOptions;
  readonly #startTimer: StartTimer;
  readonly #comeBackMs: number;
  readonly #finisher: RecordingFinisher;
  readonly #uploads: RecordingUploads | undefined;
  /** By stream and source: the one that is live, or may go on. */
  readonly #open = new Map<string, OpenRecording>();
  /** Those that write, or have parts that viewers may still see, by id. */
  readonly #known = new Map<string, OpenRecording>();
  readonly #unsaved = new Map<string, 'recording_started' | undefined>();
  readonly #beginning = new Map<string, Promise<void>>();
  readonly #wishes = new Map<string, Wish>();
  readonly #changes = new Map<string, string>();
  readonly #saving = new Map<string, Promise<void>>();
  readonly #work = new Set<Promise<unknown>>();
  readonly #cancelLingering = new Map<string, () => void>();
  #cancelSaving: (() => void) | undefined;
  #isClosed = false;

  constructor(options: RecordingServiceOptions) {
    super();
    this.#options = options;
    const { engine, recorder, store, files, packager, s3, now, log, leaseMs } = options;
    this.#startTimer = options.startTimer ?? startTimer;
    this.#uploads =
      s3 &&
      new RecordingUploads({
        storage: s3,
        store,
        files,
        startTimer: this.#startTimer,
        now,
        log,
        onUploaded: (record) => {
          if (!this.#known.has(record.id)) this.#track(this.#dropParts(record));
        },
      });
    this.#comeBackMs = Math.max(COME_BACK_MS, leaseMs);
    this.#finisher = new RecordingFinisher({ packager, store, files, log, onReady: (ready) => this.#ready(ready) });
    this.reader = new RecordingReader({ open: this.#known, store, files });
    const guard = <Args extends unknown[]>(handle: (...args: Args) => void) =>
      catchErrors(
        (err) => log.error({ err }, 'an event of the media engine could not be applied to a recording'),
        handle,
      );
    engine.on(
      'live',
      guard((stream, sourceId) => this.#live(stream, sourceId)),
    );
    engine.on(
      'ended',
      guard((stream, sourceId) => this.#ended(stream, sourceId)),
    );
    recorder.on(
      'started',
      guard((start) => this.#ownerOf(start.partId)?.partStarted(start)),
    );
    recorder.on(
      'progress',
      guard((progress) => this.#ownerOf(progress.partId)?.partProgress(progress)),
    );
    recorder.on(
      'ended',
      guard((end) => this.#ownerOf(end.partId)?.partEnded(end)),
    );
  }

  /** Takes up what an earlier run of this server left. Resolves when it is found; the work goes on. */
  async recover(): Promise<void> {
    const { store, files } = this.#options;
    for (const record of await store.listUnfinished(files.nodeId)) {
      if (this.#known.has(record.id)) continue;
      if (record.state === 'ready') this.#track(this.#dropParts(record));
      else this.#track(this.#finisher.recover(record));
    }
    this.#uploads?.recover();
  }

  async setRecording(stream: string, sourceId: SourceId, isOn: boolean): Promise<void> {
    const key = keyOf(stream, sourceId);
    const publisher = this.#options.streams.publisherOf(stream, sourceId);
    this.#wishes.set(key, { isOn, tokenId: publisher?.tokenId });
    const open = this.#open.get(key);
    if (!isOn) {
      if (!open) return;
      this.#end(key, open);
      await this.#options.store.noteStop(open.record, this.#options.now());
      return;
    }
    if (open || !publisher?.isLive) return;
    await this.#begin(stream, sourceId, { tokenId: publisher.tokenId, action: 'recording_started' });
  }

  isRecording(stream: string, sourceId: SourceId): boolean {
    return this.#open.get(keyOf(stream, sourceId))?.isRecording ?? false;
  }

  /**
   * Cuts the last seconds of a stream that is being recorded. Its file is ready a little later.
   * @throws {ConflictError} `not_recorded`, `quota_exceeded`
   */
  async createClip(
    accountId: string,
    streamName: string,
    { sourceId, seconds }: { readonly sourceId: SourceId; readonly seconds: number },
  ): Promise<RecordingRecord> {
    const { quota, store, now } = this.#options;
    const open = this.#open.get(keyOf(streamIdOf(accountId, streamName), sourceId));
    const to = now();
    const from = to - seconds * 1_000;
    const parts = open ? partsWithin(open.parts, from) : [];
    const [first] = parts;
    if (!open || !first)
      throw new ConflictError('not_recorded', `${streamName} is not being recorded; record it first`);
    const { level, retentionDays } = await quota.of(accountId);
    if (level === 'full') throw quotaExceeded();
    const { video, audio } = first.start;
    const record: RecordingRecord = {
      ...open.record,
      id: newRecordingId(),
      kind: 'clip',
      state: 'finishing',
      fault: null,
      startedOn: Math.max(from, Math.round(first.start.startsAt)),
      endedOn: to,
      durationMs: 0,
      bytes: 0,
      videoCodec: video?.codec ?? null,
      audioCodec: audio?.codec ?? null,
      container: null,
      parts: [],
      expiresOn: expiryOf(to, retentionDays),
    };
    await store.add(record, 'clip_created');
    const files = parts.map(({ start: { file, startsAt } }) => ({ file, startsAt }));
    this.#track(this.#finisher.clip(record, files, { from, to }));
    return record;
  }

  /** Completes the files that are written. They are made ready at the next start. Nothing is recorded afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSaving?.();
    for (const cancel of this.#cancelLingering.values()) cancel();
    for (const { cancelForgetting } of this.#wishes.values()) cancelForgetting?.();
    for (const [key, open] of this.#open) this.#end(key, open);
    await this.#options.recorder.close();
    await this.#saveAll();
    await this.#finisher.close();
    await this.#uploads?.close();
    await Promise.allSettled(this.#work);
  }

  #live(stream: string, sourceId: SourceId): void {
    if (this.#isClosed) return;
    const { streams, tokenRecords, log } = this.#options;
    const key = keyOf(stream, sourceId);
    const tokenId = streams.publisherOf(stream, sourceId)?.tokenId;
    const open = this.#open.get(key);
    if (open && open.record.tokenId === (tokenId ?? null)) {
      this.#wishes.get(key)?.cancelForgetting?.();
      open.take({ name: 'live' });
      return;
    }
    // Somebody else publishes now.
    if (open) this.#end(key, open);
    const wish = this.#wishes.get(key);
    wish?.cancelForgetting?.();
    const applies = wish && (wish.tokenId === undefined || wish.tokenId === tokenId);
    if (wish && !applies) this.#wishes.delete(key);
    if (tokenId === undefined || !(applies ? wish.isOn : tokenRecords(tokenId))) return;
    const action = applies ? 'recording_started' : undefined;
    const begun = this.#begin(stream, sourceId, { tokenId, action }).catch((err: unknown) => {
      if (!(err instanceof RecordingError)) log.error({ err, stream }, 'a recording could not begin');
    });
    this.#track(begun);
  }

  #ended(stream: string, sourceId: SourceId): void {
    const key = keyOf(stream, sourceId);
    this.#open.get(key)?.take({ name: 'source_ended' });
    const wish = this.#wishes.get(key);
    if (!wish || this.#isClosed) return;
    wish.cancelForgetting?.();
    wish.cancelForgetting = this.#startTimer(this.#comeBackMs, () => {
      if (this.#wishes.get(key) === wish) this.#wishes.delete(key);
    });
  }

  async #begin(stream: string, sourceId: SourceId, given: BeginOptions): Promise<void> {
    const key = keyOf(stream, sourceId);
    const begun =
      this.#beginning.get(key) ??
      this.#beginOnce(key, stream, sourceId, given).finally(() => this.#beginning.delete(key));
    this.#beginning.set(key, begun);
    await begun;
  }

  /** @throws {RecordingError} `quota_exceeded` */
  async #beginOnce(key: string, stream: string, sourceId: SourceId, { tokenId, action }: BeginOptions): Promise<void> {
    const { quota, streams, files, now, log } = this.#options;
    const [accountId, streamName] = namesOf(stream);
    const settings = await quota.of(accountId).catch((err: unknown) => {
      // The broadcast does not wait for the database.
      log.error({ err, account: accountId }, 'the space for recordings is not known: a recording begins without it');
      return { level: 'ok', retentionDays: null } as const;
    });
    if (settings.level === 'full') {
      this.#emitChanged(stream, sourceId, { isRecording: false, fault: 'quota_exceeded' });
      throw new RecordingError('quota_exceeded', quotaExceeded().message);
    }
    const publisher = streams.publisherOf(stream, sourceId);
    if (this.#isClosed || this.#open.has(key) || !publisher?.isLive || publisher.tokenId !== tokenId) return;
    if (this.#wishes.get(key)?.isOn === false) return;
    const record: RecordingRecord = {
      id: newRecordingId(),
      accountId,
      kind: 'broadcast',
      streamName,
      sourceId,
      tokenId,
      state: 'recording',
      fault: null,
      startedOn: now(),
      endedOn: null,
      durationMs: 0,
      bytes: 0,
      videoCodec: null,
      audioCodec: null,
      width: null,
      height: null,
      container: null,
      parts: [],
      location: 'folder',
      nodeId: files.nodeId,
      expiresOn: expiryOf(now(), settings.retentionDays),
    };
    const open = this.#openRecording(key, stream, record);
    this.#open.set(key, open);
    this.#known.set(record.id, open);
    this.#unsaved.set(record.id, action);
    this.#keepSaving();
    open.begin();
    log.info({ stream, source: sourceId, recording: record.id }, 'a recording began');
    this.#changed(open);
    await this.#save(open);
  }

  #openRecording(key: string, stream: string, record: RecordingRecord): OpenRecording {
    const { engine, recorder, files, now } = this.#options;
    const open: OpenRecording = new OpenRecording(stream, record, {
      recorder,
      startTimer: this.#startTimer,
      makeFolder: () => files.makeFolder(record),
      tapAddress: () => engine.tapAddress(stream),
      comeBackMs: this.#comeBackMs,
      keyframeEveryMs: KEYFRAME_EVERY_MS,
      now,
      onChanged: () => this.#changed(open),
      onGrown: (part) => this.#uploads?.grown(open.record, part),
      onPartEnded: (end) => this.#partEnded(open, end),
      onOver: () => this.#over(key, open),
    });
    return open;
  }

  #ownerOf(partId: string): OpenRecording | undefined {
    return this.#known.get(partId.split('/')[0]!);
  }

  #partEnded(open: OpenRecording, { reason, detail, bytes }: PartEnd): void {
    const { log } = this.#options;
    const fields = { recording: open.id, stream: open.stream, reason, detail, bytes };
    if (reason === 'disk_full' || reason === 'disk_failed' || reason === 'recorder_lost') {
      log.error(fields, 'a recording was interrupted: the stream goes on, and the recording is tried again');
    } else log.info(fields, 'a part of a recording ended');
  }

  /** Ends it, and lets another one begin. */
  #end(key: string, open: OpenRecording): void {
    if (this.#open.get(key) === open) this.#open.delete(key);
    open.take({ name: 'stop' });
  }

  #over(key: string, open: OpenRecording): void {
    if (this.#open.get(key) === open) this.#open.delete(key);
    this.#changed(open);
    this.#track(this.#finish(open));
  }

  async #finish(open: OpenRecording): Promise<void> {
    await this.#save(open);
    if (this.#isClosed) return;
    if (this.#unsaved.has(open.id)) {
      // Without its row, the file would belong to nobody.
      this.#cancelLingering.set(
        open.id,
        this.#startTimer(SAVE_EVERY_MS, () => this.#track(this.#finish(open))),
      );
      return;
    }
    await this.#finisher.finish(open.record);
    this.#linger(open.record);
  }

  /** Viewers who went back go on with the parts; new ones too, so that all see the same. */
  #linger(record: RecordingRecord): void {
    if (this.#isClosed) return;
    const forget = (): void => {
      this.#cancelLingering.delete(record.id);
      this.#known.delete(record.id);
      this.#track(this.#forgetParts(record.id));
    };
    this.#cancelLingering.set(record.id, this.#startTimer(PARTS_KEPT_MS, forget));
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
    this.#uploads?.ready(record);
    // A clip has no parts, and what an earlier run left has no viewers.
    if (!this.#known.has(record.id) && record.kind === 'broadcast') this.#track(this.#dropParts(record));
  }

  #changed(open: OpenRecording): void {
    const { sourceId, fault } = open.record;
    this.#emitChanged(open.stream, sourceId, { isRecording: open.isRecording, fault });
    if (open.phase !== 'over') this.#track(this.#save(open));
  }

  #emitChanged(
    stream: string,
    sourceId: SourceId,
    state: { isRecording: boolean; fault: RecordingFaultCode | null },
  ): void {
    const key = keyOf(stream, sourceId);
    const text = JSON.stringify(state);
    const known = this.#changes.get(key);
    if (known === text) return;
    // What is not recorded and never was is no news.
    if (!state.isRecording && state.fault === null) this.#changes.delete(key);
    else this.#changes.set(key, text);
    if (known === undefined && !state.isRecording && state.fault === null) return;
    this.emit('changed', { stream, sourceId, ...state });
  }

  #keepSaving(): void {
    if (this.#isClosed) return;
    this.#cancelSaving ??= this.#startTimer(SAVE_EVERY_MS, () => {
      this.#cancelSaving = undefined;
      if (this.#open.size === 0 && this.#unsaved.size === 0) return;
      this.#track(this.#saveAll().then(() => this.#checkQuotas()));
      this.#keepSaving();
    });
  }

  async #saveAll(): Promise<void> {
    for (const open of this.#known.values()) if (open.phase !== 'over') await this.#save(open);
  }

  /** Never rejects: what is not saved now is saved next time. Saves what is true when the saves before have ended. */
  async #save(open: OpenRecording): Promise<void> {
    const saved = (this.#saving.get(open.id) ?? Promise.resolve()).then(() => this.#saveNow(open));
    this.#saving.set(open.id, saved);
    await saved;
    if (this.#saving.get(open.id) === saved) this.#saving.delete(open.id);
  }

  async #saveNow(open: OpenRecording): Promise<void> {
    const { store, log } = this.#options;
    const { id } = open;
    try {
      if (this.#unsaved.has(id)) {
        const action = this.#unsaved.get(id);
        this.#unsaved.delete(id);
        await store.add(open.record, action).catch((error: unknown) => {
          this.#unsaved.set(id, action);
          throw error;
        });
      } else await store.save(open.record);
    } catch (err) {
      log.error({ err, recording: id }, 'a recording could not be saved');
    }
  }

  async #checkQuotas(): Promise<void> {
    const { quota, log } = this.#options;
    const accounts = new Set([...this.#open.values()].map(({ record }) => record.accountId));
    for (const accountId of accounts) {
      const state = await quota.of(accountId).catch((err: unknown) => {
        log.warn({ err, account: accountId }, 'the space for recordings could not be compared with the quota');
        return undefined;
      });
      if (state?.level !== 'full') continue;
      for (const [key, open] of this.#open) {
        if (open.record.accountId !== accountId) continue;
        open.setFault('quota_exceeded');
        this.#end(key, open);
      }
    }
  }

  #track(work: Promise<unknown>): void {
    const settled = work.catch((err: unknown) => {
      this.#options.log.error({ err }, 'a step of a recording failed');
    });
    this.#work.add(settled);
    void settled.then(() => this.#work.delete(settled));
  }
}

interface BeginOptions {
  readonly tokenId: number;
  readonly action: 'recording_started' | undefined;
}

/** The parts since `from`, as far back as they have the codecs of the last one. */
function partsWithin(parts: readonly OpenPart[], from: number): OpenPart[] {
  const written = parts.filter(({ bytes, start, durationMs }) => bytes > 0 && start.startsAt + durationMs >= from);
  const last = written.at(-1)?.start;
  const isOther = ({ start }: OpenPart): boolean =>
    start.video?.codec !== last?.video?.codec || start.audio?.codec !== last?.audio?.codec;
  return written.slice(written.findLastIndex(isOther) + 1);
}

function quotaExceeded(): ConflictError {
  return new ConflictError(
    'quota_exceeded',
    'The recordings of this account have used its space: delete some, or give it more space',
  );
}

function expiryOf(time: number, retentionDays: number | null): number | null {
  return retentionDays === null ? null : time + retentionDays * DAY_MS;
}

function keyOf(stream: string, sourceId: SourceId): string {
  return JSON.stringify([stream, sourceId]);
}

/** Of `account/name`: an account id has no slash. */
function namesOf(stream: string): [accountId: string, streamName: string] {
  const slash = stream.indexOf('/');
  return [stream.slice(0, slash), stream.slice(slash + 1)];
}

function startTimer(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
}
