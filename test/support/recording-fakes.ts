import { EventEmitter } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FinishedFile, Packager, PartFile, PartIndex } from '../../server/recording/packager.js';
import { PackagerError } from '../../server/recording/packager/packager-messages.js';
import type { PartEndReason, PartOrder, PartStart, Recorder, RecorderEvents } from '../../server/recording/recorder.js';

/** Writes a letter for each byte of media. A test says when. */
export class FakeRecorder extends EventEmitter<RecorderEvents> implements Recorder {
  readonly orders: PartOrder[] = [];
  readonly #open = new Map<string, { readonly start: PartStart; bytes: number; durationMs: number }>();
  isClosed = false;
  /** Whether frames of the last part are left out. */
  isDiskSlow = false;

  get partIds(): string[] {
    return this.orders.map(({ partId }) => partId);
  }

  start(order: PartOrder): void {
    this.orders.push(order);
  }

  /** The last part begins. Times of frames have fractions of a millisecond. */
  begin(firstFrameAt: number, tracks: Partial<Pick<PartStart, 'video' | 'audio'>> = {}): PartStart {
    const { partId, path } = this.orders.at(-1)!;
    const startsAt = firstFrameAt + 0.25;
    const video = { codec: 'h264', width: 1_280, height: 720 } as const;
    const start: PartStart = { partId, file: `${path}.mkv`, startsAt, video, audio: { codec: 'opus' }, ...tracks };
    writeFileSync(start.file, '');
    this.#open.set(partId, { start, bytes: 0, durationMs: 0 });
    this.emit('started', start);
    return start;
  }

  /** So much more of the last part is on disk: a group. */
  write(bytes: number, durationMs: number): void {
    const { partId } = this.orders.at(-1)!;
    const part = this.#open.get(partId)!;
    appendFileSync(part.start.file, 'm'.repeat(bytes));
    const begin = part.start.video ? {} : { isSound: true as const };
    const groups = [{ ...begin, position: part.bytes, timestampMs: part.durationMs }];
    part.bytes += bytes;
    part.durationMs += durationMs;
    const { width = 0, height = 0 } = part.start.video ?? {};
    const { bytes: written, durationMs: lasted } = part;
    const { isDiskSlow } = this;
    const progress = { partId, bytes: written, durationMs: lasted, groups, width, height, framesLost: 0, isDiskSlow };
    this.emit('progress', progress);
  }

  /** The last part ends by itself. */
  end(reason: PartEndReason): void {
    this.#end(this.orders.at(-1)!.partId, reason);
  }

  stop(partId: string): void {
    if (this.partIds.includes(partId)) queueMicrotask(() => this.#end(partId, 'stopped'));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const partId of this.#open.keys()) this.#end(partId, 'stopped');
  }

  #end(partId: string, reason: PartEndReason): void {
    const { bytes = 0, durationMs = 0 } = this.#open.get(partId) ?? {};
    this.#open.delete(partId);
    this.emit('ended', { partId, reason, detail: undefined, bytes, durationMs });
  }
}

/** Joins files byte for byte. A byte is a millisecond for `readPart`. */
export class FakePackager implements Packager {
  readonly calls: { readonly parts: readonly PartFile[]; readonly path: string; readonly range: object | undefined }[] =
    [];
  /** Makes the next calls fail. */
  failure: Error | undefined;

  async readPart(file: string): Promise<PartIndex> {
    if (this.failure) throw this.failure;
    const bytes = statSync(file).size;
    if (readFileSync(file, 'utf8').startsWith('garbage')) {
      throw new PackagerError('no media that can be read', 'unreadable');
    }
    const video = { codec: 'h264', width: 1_280, height: 720 } as const;
    return { video, audio: { codec: 'opus' }, groups: [], durationMs: bytes, bytes };
  }

  async finish(
    parts: readonly PartFile[],
    path: string,
    range?: { readonly from: number; readonly to: number },
  ): Promise<FinishedFile> {
    this.calls.push({ parts, path, range });
    if (this.failure) throw this.failure;
    const text = parts.map(({ file }) => readFileSync(file, 'utf8')).join('');
    mkdirSync(dirname(path), { recursive: true });
    const file = `${path}.mp4`;
    writeFileSync(file, text);
    const groups = [{ position: 0, timestampMs: 0 }];
    return { file, container: 'mp4', bytes: text.length, durationMs: text.length, groups };
  }

  async initSegment(): Promise<Buffer> {
    return Buffer.from('init');
  }

  async segment(): Promise<Buffer> {
    return Buffer.from('segment');
  }

  async close(): Promise<void> {}
}

/** Timers that run when a test moves the clock. */
export class TestTimers {
  now: number;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  constructor(now: number) {
    this.now = now;
  }

  readonly startTimer = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.now + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** Moves the clock, and runs what is due, in order. */
  elapse(ms: number): void {
    const end = this.now + ms;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  #next(end: number) {
    return [...this.#timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
  }
}
