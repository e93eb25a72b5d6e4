import { unlink } from 'node:fs/promises';
import { every } from '../../faults/timers.js';
import type { OpenTap, Tap, TapListener } from '../../media/engine/tap.js';
import { diskFaultOf } from '../storage/file-fault.js';
import { containerOf, headerOf } from '../matroska/header.js';
import type { PartEnd, PartEndReason, PartGroup, PartOrder, PartProgress, PartStart } from '../recorder.js';
import { AppendFile, type OpenFileToAppend } from './append-file.js';
import type { BuiltCluster } from './cluster-builder.js';
import type { Backlog } from './drop-policy.js';
import { PartAssembler, type PartBeginning, type PartSteps } from './part-assembler.js';

const PROGRESS_EVERY_MS = 1_000;
const TICK_MS = 100;
const NO_BACKLOG: Backlog = { bytes: 0, ms: 0 };

export interface PartListener {
  onStarted(start: PartStart): void;
  onProgress(progress: PartProgress): void;
  /** Once, at the end. */
  onEnded(end: PartEnd): void;
}

export interface PartSurroundings {
  readonly openTap: OpenTap;
  /** Milliseconds of any clock that does not jump. */
  readonly now: () => number;
  readonly openFile?: OpenFileToAppend | undefined;
  /** Default: `MAX_BACKLOG`. */
  readonly maxBacklog?: Backlog | undefined;
}

/** Writes one part: passes frames of a tap to the assembler, and what it decides to a file. */
export class PartRecorder {
  readonly #order: PartOrder;
  readonly #surroundings: PartSurroundings;
  readonly #listener: PartListener;
  readonly #assembler: PartAssembler;
  readonly #ticker: NodeJS.Timeout;
  #tap: Tap | undefined;
  #file: AppendFile | undefined;
  #fileName = '';
  /** Where the next cluster will begin. */
  #position = 0;
  #groups: PartGroup[] = [];
  #durationMs = 0;
  #width = 0;
  #height = 0;
  #reportedAt: number;
  #reportedSlow = false;
  #ended: Promise<void> | undefined;

  constructor(order: PartOrder, surroundings: PartSurroundings, listener: PartListener) {
    this.#order = order;
    this.#surroundings = surroundings;
    this.#listener = listener;
    const now = surroundings.now();
    this.#reportedAt = now;
    this.#assembler = new PartAssembler(now, surroundings.maxBacklog);
    this.#ticker = every('recording', TICK_MS, () => this.#tick());
    this.#open();
  }

  /** Ends the part. Resolves when its file is complete. */
  async stop(): Promise<void> {
    this.#apply(this.#assembler.end('stopped'));
    await this.#ended;
  }

  #tick(): void {
    this.#apply(this.#assembler.tick(this.#now()));
    // Now: the disk may take nothing more for long.
    if (this.#file && this.#assembler.isDiskSlow && !this.#reportedSlow) this.#report();
  }

  #open(): void {
    const { tap, stream, sourceId, keyframeEveryMs } = this.#order;
    const assembler = this.#assembler;
    const listener: TapListener = {
      onSource: (tracks) => this.#apply(assembler.onSource(tracks, this.#now())),
      onFrame: (frame) => this.#apply(assembler.onFrame(frame, this.#now(), this.#file?.backlog ?? NO_BACKLOG)),
      onLoss: (frames) => assembler.onLoss(frames),
      onSourceEnded: () => assembler.onSourceEnded(this.#now()),
      onClosed: () => this.#apply(assembler.end('source_ended')),
    };
    try {
      this.#tap = this.#surroundings.openTap(tap, { stream, sourceId, keyframeEveryMs }, listener);
      if (this.#ended) this.#tap.close();
    } catch (error) {
      assembler.end('source_ended');
      this.#end('source_ended', error as Error);
    }
  }

  #apply({ begin, clusters, end }: PartSteps): void {
    if (this.#ended) return;
    if (begin) this.#begin(begin);
    for (const cluster of clusters) this.#append(cluster);
    if (end) this.#end(end);
  }

  #begin({ tracks, startsAt, announcedVideo }: PartBeginning): void {
    const { partId, path } = this.#order;
    this.#fileName = `${path}.${containerOf(tracks)}`;
    const { openFile } = this.#surroundings;
    this.#file = new AppendFile(this.#fileName, this.#surroundings.now, (error) => this.#onFault(error), openFile);
    const header = headerOf(tracks);
    const { video, audio } = tracks;
    const start: PartStart = {
      partId,
      file: this.#fileName,
      video: video && { codec: video.codec, width: video.width, height: video.height },
      audio,
      ...(announcedVideo && { announcedVideo }),
      startsAt,
    };
    this.#position = header.length;
    this.#file.append(header, () => this.#listener.onStarted(start));
  }

  #append({ data, group, endMs, width, height }: BuiltCluster): void {
    const position = this.#position;
    this.#position += data.length;
    this.#file?.append(data, () => {
      if (group) this.#groups.push({ ...group, position });
      this.#durationMs = endMs;
      if (width * height > this.#width * this.#height) [this.#width, this.#height] = [width, height];
      if (this.#groups.length > 0 || this.#now() - this.#reportedAt >= PROGRESS_EVERY_MS) this.#report();
    });
  }

  #report(): void {
    this.#reportedAt = this.#now();
    this.#reportedSlow = this.#assembler.isDiskSlow;
    this.#listener.onProgress({
      partId: this.#order.partId,
      bytes: this.#file?.written ?? 0,
      durationMs: this.#durationMs,
      groups: this.#groups.splice(0),
      width: this.#width,
      height: this.#height,
      framesLost: this.#assembler.framesLost,
      isDiskSlow: this.#assembler.isDiskSlow,
    });
  }

  #onFault(error: Error): void {
    this.#assembler.end('disk_failed');
    this.#end(diskFaultOf(error), error);
  }

  #end(reason: PartEndReason, error?: Error): void {
    this.#ended ??= this.#complete(reason, error);
  }

  async #complete(reason: PartEndReason, error: Error | undefined): Promise<void> {
    clearInterval(this.#ticker);
    this.#tap?.close();
    await this.#file?.close();
    const fault = error ?? this.#file?.fault;
    const bytes = this.#file?.written ?? 0;
    // Of a file that this part has not created, `written` is 0 as well: it stays.
    const isEmptyFile = this.#file && bytes === 0 && fault && !('code' in fault && fault.code === 'EEXIST');
    if (isEmptyFile) await unlink(this.#fileName).catch(() => {});
    if (bytes > 0) this.#report();
    this.#listener.onEnded({
      partId: this.#order.partId,
      reason: fault && this.#file?.fault ? diskFaultOf(fault) : reason,
      detail: fault?.message,
      bytes,
      durationMs: this.#durationMs,
    });
  }

  #now(): number {
    return this.#surroundings.now();
  }
}
