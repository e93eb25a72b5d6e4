import type { Logger } from 'pino';
import { Emitter } from '../faults/emitter.js';
import { after } from '../faults/timers.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { SourceId } from '../media/engine/media-track.js';
import type { StreamRegistry } from '../streams/stream-registry.js';
import { BackgroundWork } from './background-work.js';
import { RecordingCompletion } from './finish/recording-completion.js';
import { finishNowOf, mustBeSilent, mustBeTaken } from './finish/take-over.js';
import { OpenRecording, type StartTimer } from './open/open-recording.js';
import { OpenRecordings } from './open/open-recordings.js';
import { RecordingChanges } from './open/recording-changes.js';
import { RecordingClips } from './open/recording-clips.js';
import { RecordingCommands } from './open/recording-commands.js';
import { RecordingSaver } from './open/recording-saver.js';
import { RecordingStarter, type RecordingStart } from './open/recording-starter.js';
import type { Packager } from './packager.js';
import type { PartEnd, Recorder } from './recorder.js';
import {
  RecordingError,
  type RecordingChange,
  type RecordingControl,
  type RecordingControlEvents,
} from './recording-control.js';
import type { RecordingFiles } from './recording-files.js';
import { RecordingReader } from './recording-reader.js';
import type { RecordingRecord } from './recording-record.js';
import type { RecordingQuota } from './recording-quota.js';
import type { RecordingStore } from './recording-store.js';
import { RunningNote } from './running-note.js';
import type { S3Storage } from './storage/s3-storage.js';
import { readStreamId, type StreamId } from '../streams/stream-id.js';

/** A publisher who left may come back to the same recording. */
const COME_BACK_MS = 60_000;
const KEYFRAME_EVERY_MS = 2_000;

export interface RecordingServiceOptions {
  readonly engine: Pick<MediaEngine, 'on' | 'tapAddress'>;
  readonly streams: Pick<StreamRegistry, 'publisherOf'>;
  /** Whether the engine gives the frames of a stream. Absent: of all. */
  readonly hasFrames?: ((stream: StreamId) => boolean) | undefined;
  /** Whether a publish token says that its broadcasts are recorded. */
  readonly tokenRecords: (tokenId: number) => boolean;
  /** After how many days recordings of a publish token are deleted. Null: as the account has it. */
  readonly tokenRetentionDays: (tokenId: number) => number | null;
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

/** Records sources: those whose token says so, and those that somebody switched on. */
export class RecordingService extends Emitter<RecordingControlEvents> implements RecordingControl {
  readonly isAvailable = true;
  /** For viewers who go back. */
  readonly reader: RecordingReader;
  readonly clips: RecordingClips;
  readonly #options: RecordingServiceOptions;
  readonly #startTimer: StartTimer;
  readonly #comeBackMs: number;
  readonly #work: BackgroundWork;
  readonly #recordings = new OpenRecordings();
  readonly #changes = new RecordingChanges();
  readonly #commands: RecordingCommands;
  readonly #saver: RecordingSaver;
  readonly #completion: RecordingCompletion;
  readonly #starter: RecordingStarter;
  readonly #running: RunningNote;
  #isClosed = false;

  constructor(options: RecordingServiceOptions) {
    super('recording');
    this.#options = options;
    const { packager, store, files, s3, now, log, tokenRecords } = options;
    const startTimer = options.startTimer ?? startUnrefTimer;
    this.#startTimer = startTimer;
    this.#comeBackMs = Math.max(COME_BACK_MS, options.leaseMs);
    this.#work = new BackgroundWork((err) => log.error({ err }, 'a step of a recording failed'));
    this.#commands = new RecordingCommands({ tokenRecords, startTimer, comeBackMs: this.#comeBackMs });
    const common = { recordings: this.#recordings, work: this.#work, store, startTimer, log };
    this.#starter = new RecordingStarter({
      ...options,
      recordings: this.#recordings,
      commands: this.#commands,
      onStart: (start, record) => this.#started(start, record),
    });
    this.#saver = new RecordingSaver({
      ...common,
      onSaved: () => this.#checkQuotas(),
      onLost: (open) => this.#lost(open),
    });
    this.#completion = new RecordingCompletion({ ...common, saver: this.#saver, packager, files, s3, now });
    this.#running = new RunningNote({ store, nodeId: files.nodeId, startTimer, now, log });
    this.reader = new RecordingReader({ recordings: this.#recordings, store, files });
    this.clips = new RecordingClips({
      ...options,
      recordings: this.#recordings,
      onPlanned: (plan) => this.#completion.cut(plan),
    });
    this.#listen();
  }

  /** Sources that are being recorded. */
  get active(): number {
    return this.#recordings.active.length;
  }

  /** Takes up what an earlier run of this server left. Resolves when it is found; the work goes on. */
  async recover(): Promise<void> {
    await this.#running.begin();
    await this.#completion.recover();
  }

  async setRecording(stream: StreamId, sourceId: SourceId, isOn: boolean): Promise<void> {
    const { streams, store, now } = this.#options;
    if (isOn && !this.#hasFrames(stream)) {
      throw new RecordingError('engine_unsupported', 'the media engine of this stream gives no frames to record');
    }
    const publisher = streams.publisherOf(stream, sourceId);
    this.#commands.give(stream, sourceId, { isOn, tokenId: publisher?.tokenId });
    const open = this.#recordings.activeOf(stream, sourceId);
    if (!isOn) {
      if (!open) return;
      this.#end(open);
      await store.noteStop(open.record, now());
      return;
    }
    if (open || !publisher?.isLive) return;
    await this.#start({ stream, sourceId, tokenId: publisher.tokenId, action: 'recording_started' });
  }

  isRecording(stream: StreamId, sourceId: SourceId): boolean {
    return this.#recordings.activeOf(stream, sourceId)?.isRecording ?? false;
  }

  /**
   * Tries now to make the file of a recording that could not be finished. Resolves before that is done.
   * @param takeOver whether the server that has it is lost: this server finishes it from its copy in S3
   * @throws {ConflictError} `recording_in_progress`, `recording_not_ready`
   * @throws {NotFoundError} `recording_file_missing`
   */
  async finishNow(record: RecordingRecord, takeOver = false): Promise<void> {
    const { files, store, s3, now, log } = this.#options;
    const { nodeId } = files;
    const step = finishNowOf(record, { nodeId, takeOver, hasS3: s3 !== undefined });
    if (step === 'finish') return this.#completion.finishNow(record);
    if (step === 'nothing') return;
    mustBeSilent(await store.lastRunning(record.nodeId), now());
    const taken = mustBeTaken(await store.takeOver(record.id, { from: record.nodeId, to: nodeId }));
    const fields = { recording: taken.id, account: taken.accountId, from: record.nodeId };
    log.warn(fields, 'a recording of a lost server is taken over from S3');
    this.#completion.finishNow(taken);
  }

  /** Completes the files that are written. They are made ready at the next start. Nothing is recorded afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#starter.close();
    this.#commands.close();
    const completed = this.#completion.close();
    for (const open of this.#recordings.active) this.#end(open);
    await this.#options.recorder.close();
    await this.#saver.close();
    await completed;
    await this.#running.close();
    await this.#work.settled();
  }

  #listen(): void {
    const { engine, recorder } = this.#options;
    const recordings = this.#recordings;
    const ofStream =
      (handle: (stream: StreamId, sourceId: SourceId) => void) => (stream: string, sourceId: SourceId) => {
        const streamId = readStreamId(stream);
        if (streamId) handle(streamId, sourceId);
      };
    engine.on(
      'live',
      ofStream((stream, sourceId) => this.#live(stream, sourceId)),
    );
    engine.on(
      'ended',
      ofStream((stream, sourceId) => this.#ended(stream, sourceId)),
    );
    recorder.on('started', (start) => recordings.ofPart(start.partId)?.partStarted(start));
    recorder.on('progress', (progress) => recordings.ofPart(progress.partId)?.partProgress(progress));
    recorder.on('ended', (end) => recordings.ofPart(end.partId)?.partEnded(end));
  }

  #hasFrames(stream: StreamId): boolean {
    return this.#options.hasFrames?.(stream) ?? true;
  }

  #live(stream: StreamId, sourceId: SourceId): void {
    if (this.#isClosed || !this.#hasFrames(stream)) return;
    const { streams, log } = this.#options;
    const tokenId = streams.publisherOf(stream, sourceId)?.tokenId;
    const open = this.#recordings.activeOf(stream, sourceId);
    if (open && open.record.tokenId === (tokenId ?? null)) {
      this.#commands.sourceResumed(stream, sourceId);
      open.take({ name: 'live' });
      return;
    }
    // Somebody else publishes now.
    if (open) this.#end(open);
    const wish = this.#commands.sourceLive(stream, sourceId, tokenId);
    if (tokenId === undefined || wish === 'none') return;
    const action = wish === 'commanded' ? 'recording_started' : undefined;
    const begun = this.#start({ stream, sourceId, tokenId, action }).catch((err: unknown) => {
      if (!(err instanceof RecordingError)) log.error({ err, stream }, 'a recording could not begin');
    });
    this.#work.track(begun);
  }

  #ended(stream: StreamId, sourceId: SourceId): void {
    this.#recordings.activeOf(stream, sourceId)?.take({ name: 'source_ended' });
    if (!this.#isClosed) this.#commands.sourceEnded(stream, sourceId);
  }

  /** @throws {RecordingError} `quota_exceeded` */
  async #start(start: RecordingStart): Promise<void> {
    try {
      await this.#starter.start(start);
    } catch (error) {
      const { stream, sourceId } = start;
      if (error instanceof RecordingError) this.#tell({ stream, sourceId, isRecording: false, fault: error.code });
      throw error;
    }
  }

  async #started({ stream, sourceId, action }: RecordingStart, record: RecordingRecord): Promise<void> {
    const open = this.#openRecording(stream, record);
    this.#recordings.add(open);
    this.#saver.begin(open, action);
    open.begin();
    this.#options.log.info({ stream, source: sourceId, recording: record.id }, 'a recording began');
    this.#changed(open);
    await this.#saver.save(open);
  }

  #openRecording(stream: StreamId, record: RecordingRecord): OpenRecording {
    const { engine, streams, recorder, files, now, log } = this.#options;
    const open: OpenRecording = new OpenRecording(stream, record, {
      recorder,
      startTimer: this.#startTimer,
      makeFolder: () => files.makeFolder(record),
      tapAddress: () => engine.tapAddress(stream),
      publisherCodec: () => streams.publisherOf(stream, record.sourceId)?.codec,
      comeBackMs: this.#comeBackMs,
      keyframeEveryMs: KEYFRAME_EVERY_MS,
      now,
      onChanged: () => this.#changed(open),
      onGrown: (part) => this.#completion.copies?.follow(open, part),
      onDiskSlow: () => {
        const fields = { recording: record.id, stream };
        log.error(
          fields,
          'the disk is too slow for a recording: the stream goes on, and frames are missing in the file',
        );
      },
      onPartEnded: (end) => this.#partEnded(open, end),
      onOver: () => this.#over(open),
    });
    return open;
  }

  #partEnded(open: OpenRecording, { reason, detail, bytes }: PartEnd): void {
    const { log } = this.#options;
    const fields = { recording: open.id, stream: open.stream, reason, detail, bytes };
    if (reason === 'disk_full' || reason === 'disk_failed' || reason === 'recorder_lost') {
      log.error(fields, 'a recording was interrupted: the stream goes on, and the recording is tried again');
    } else log.info(fields, 'a part of a recording ended');
  }

  /** Ends it, and lets another one begin. */
  #end(open: OpenRecording): void {
    this.#recordings.release(open);
    open.take({ name: 'stop' });
  }

  /** Its account was deleted, or another server has taken it over: what follows is another recording. */
  #lost(open: OpenRecording): void {
    const { stream, sourceId } = open;
    this.#options.log.warn({ stream, recording: open.id }, 'a recording is not of this server any more: it ends');
    this.#end(open);
    if (this.#options.streams.publisherOf(stream, sourceId)?.isLive) this.#live(stream, sourceId);
  }

  #over(open: OpenRecording): void {
    this.#recordings.release(open);
    this.#changed(open);
    this.#completion.complete(open);
  }

  #changed(open: OpenRecording): void {
    const { stream, sourceId, isRecording } = open;
    const { fault } = open.record;
    // Nothing is lost, and the publisher can do nothing about it: the owner sees it with the recording.
    this.#tell({ stream, sourceId, isRecording, fault: fault === 'upload_failed' ? null : fault });
    if (open.phase !== 'over') this.#work.track(this.#saver.save(open));
  }

  #tell(change: RecordingChange): void {
    if (this.#changes.note(change)) this.emit('changed', change);
  }

  async #checkQuotas(): Promise<void> {
    const accounts = new Set(this.#recordings.active.map(({ accountId }) => accountId));
    const full = await this.#options.quota.fullOf(accounts);
    for (const open of this.#recordings.active) {
      if (!full.has(open.accountId)) continue;
      open.setFault('quota_exceeded');
      this.#end(open);
    }
  }
}

function startUnrefTimer(ms: number, run: () => void): () => void {
  const timer = after('recording', ms, run).unref();
  return () => clearTimeout(timer);
}
