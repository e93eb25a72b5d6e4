import { attempt } from '../../faults/contain.js';
import type { TapAddress } from '../../media/engine/media-engine.js';
import type { SourceId, VideoCodec } from '../../media/engine/media-track.js';
import type { PartEnd, PartProgress, PartStart, Recorder } from '../recorder.js';
import { diskFaultOf } from '../storage/file-fault.js';
import { beginPart, growPart, recordedPart, type OpenPart } from './open-part.js';
import {
  FIRST_STEP,
  nextPhase,
  type PhaseStep,
  type RecordingAction,
  type RecordingEvent,
  type RecordingPhase,
} from './recording-phase.js';
import { partSums, type RecordingFaultCode, type RecordingRecord } from '../recording-record.js';
import type { StreamId } from '../../streams/stream-id.js';

/** Calls `run` once after a time. @returns cancels it */
export type StartTimer = (ms: number, run: () => void) => () => void;

export interface OpenRecordingOptions {
  readonly recorder: Recorder;
  readonly startTimer: StartTimer;
  /** Creates the folder of the recording. */
  readonly makeFolder: () => Promise<string>;
  readonly tapAddress: () => TapAddress | undefined;
  /** What the publisher asked for, even if no picture is sent. Undefined: it said nothing. */
  readonly publisherCodec: () => VideoCodec | undefined;
  readonly comeBackMs: number;
  readonly keyframeEveryMs: number;
  readonly now: () => number;
  /** What `isRecording`, `fault` or the list of parts says is another than before. */
  readonly onChanged: () => void;
  /** More of a part is on disk, or it has ended. */
  readonly onGrown: (part: OpenPart) => void;
  /** The disk does not keep up: frames of a part are left out. */
  readonly onDiskSlow: () => void;
  readonly onPartEnded: (end: PartEnd) => void;
  /** Nothing is written any more. */
  readonly onOver: () => void;
}

/** A broadcast that is being recorded: asks the recorder for one part after another. */
export class OpenRecording {
  readonly stream: StreamId;
  readonly parts: OpenPart[] = [];
  readonly #options: OpenRecordingOptions;
  #record: RecordingRecord;
  #phase: RecordingPhase = FIRST_STEP.phase;
  #ordered = 0;
  /** The part that is ordered or written. */
  #partId: string | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(stream: StreamId, record: RecordingRecord, options: OpenRecordingOptions) {
    this.stream = stream;
    this.#record = record;
    this.#options = options;
  }

  get id(): string {
    return this.#record.id;
  }

  get accountId(): string {
    return this.#record.accountId;
  }

  get sourceId(): SourceId {
    return this.#record.sourceId;
  }

  get phase(): RecordingPhase['name'] {
    return this.#phase.name;
  }

  /** Whether media is written now, or is about to be. */
  get isRecording(): boolean {
    const phase = this.#phase;
    return phase.name === 'writing' && (phase.wroteSome || phase.attempt === 0);
  }

  /** As it is to be stored. */
  get record(): RecordingRecord {
    const parts = this.parts.map((part) => recordedPart(part, part.backup));
    // Also while its publisher is away, and may come back: nothing is recorded then.
    const endedOn = this.#phase.name === 'away' ? this.#end() : this.#record.endedOn;
    return { ...this.#record, ...partSums(parts), parts, endedOn };
  }

  begin(): void {
    this.#apply(FIRST_STEP);
  }

  take(event: RecordingEvent): void {
    const wasRecording = this.isRecording;
    const before = this.#phase.name;
    this.#apply(nextPhase(this.#phase, event, this.#options.comeBackMs));
    if (this.isRecording !== wasRecording || this.#phase.name !== before) this.#options.onChanged();
  }

  setFault(fault: RecordingFaultCode | null): void {
    if (this.#record.fault === fault) return;
    this.#record = { ...this.#record, fault };
    this.#options.onChanged();
  }

  /** Whether its parts can be copied to S3 now. Nothing is lost: another fault is more important. */
  setCopied(canCopy: boolean): void {
    const { fault } = this.#record;
    if (canCopy && fault === 'upload_failed') this.setFault(null);
    if (!canCopy && fault === null) this.setFault('upload_failed');
  }

  /** @returns whether the part is one of this recording */
  owns(partId: string): boolean {
    return this.#partId === partId || this.parts.some((part) => part.partId === partId);
  }

  partStarted(started: PartStart): void {
    const { video, announcedVideo } = started;
    const start = video || announcedVideo ? started : { ...started, announcedVideo: this.#options.publisherCodec() };
    const part = beginPart(start);
    this.parts.push(part);
    if (this.parts.length === 1) this.#record = { ...this.#record, startedOn: part.start.startsAt };
    this.take({ name: 'part_started' });
    this.#options.onChanged();
  }

  partProgress(progress: PartProgress): void {
    const part = this.#part(progress.partId);
    if (!part) return;
    const wasDiskSlow = part.isDiskSlow;
    growPart(part, progress);
    if (part.isDiskSlow && !wasDiskSlow) {
      this.setFault('disk_slow');
      this.#options.onDiskSlow();
    }
    this.#options.onGrown(part);
  }

  partEnded(end: PartEnd): void {
    const { partId, reason, bytes, durationMs } = end;
    if (this.#partId !== partId) return;
    this.#partId = undefined;
    const part = this.#part(partId);
    if (part) Object.assign(part, { bytes, durationMs, isOpen: false });
    if (part) this.#options.onGrown(part);
    if (reason === 'disk_full' || reason === 'disk_failed' || reason === 'recorder_lost') this.setFault(reason);
    this.#options.onPartEnded(end);
    this.take({ name: 'part_ended', reason });
  }

  #part(partId: string): OpenPart | undefined {
    return this.parts.find((part) => part.partId === partId);
  }

  #apply({ phase, actions }: PhaseStep): void {
    this.#phase = phase;
    for (const action of actions) this.#do(action);
  }

  #do(action: RecordingAction): void {
    const { startTimer, recorder, onOver } = this.#options;
    switch (action.name) {
      case 'start_part':
        attempt('recording', () => this.#order());
        return;
      case 'stop_part':
        if (this.#partId !== undefined) recorder.stop(this.#partId);
        return;
      case 'clear_timer':
      case 'set_timer':
        this.#cancelTimer?.();
        this.#cancelTimer = action.name === 'set_timer' ? startTimer(action.ms, () => this.#timeOut()) : undefined;
        return;
      case 'finish':
        this.#record = { ...this.#record, state: 'finishing', endedOn: this.#end() };
        onOver();
    }
  }

  #timeOut(): void {
    this.#cancelTimer = undefined;
    this.take({ name: 'timer' });
  }

  async #order(): Promise<void> {
    const { recorder, makeFolder, tapAddress, keyframeEveryMs } = this.#options;
    const { id, sourceId } = this.#record;
    const number = (this.#ordered += 1);
    const partId = `${id}/${number}`;
    this.#partId = partId;
    let folder: string;
    try {
      folder = await makeFolder();
    } catch (error) {
      this.partEnded({ partId, reason: diskFaultOf(error), detail: String(error), bytes: 0, durationMs: 0 });
      return;
    }
    // Somebody may have stopped it meanwhile, or the source ended.
    const phase = this.#phase;
    const tap = phase.name === 'writing' && phase.isLive ? tapAddress() : undefined;
    if (!tap) {
      this.#partId = undefined;
      this.take({ name: 'tap_missing' });
      return;
    }
    recorder.start({
      partId,
      tap,
      stream: this.stream,
      sourceId,
      path: `${folder}/part-${number}`,
      keyframeEveryMs,
    });
  }

  /** When its last frame was. */
  #end(): number {
    const { start, durationMs = 0 } = this.parts.at(-1) ?? {};
    return start ? Math.max(this.#record.startedOn, start.startsAt + Math.round(durationMs)) : this.#options.now();
  }
}
