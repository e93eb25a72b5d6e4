import { moduleBeside } from '../../child-process.js';
import { contain } from '../../faults/contain.js';
import { Emitter } from '../../faults/emitter.js';
import type { Sandbox } from '../../process-sandbox.js';
import type { PartEndReason, PartOrder, Recorder, RecorderEvents } from '../recorder.js';
import { SupervisedProcess, type ProcessLogEntry } from '../supervised-process.js';
import type { MessageFromRecorder, MessageToRecorder } from './recorder-messages.js';

export interface RecorderProcessOptions {
  /** Absent: the process may do everything that this one may do. */
  readonly sandbox?: Sandbox | undefined;
  /** How much of the disk recordings leave free. Undefined: as `isSpaceLow` has it. */
  readonly leastFreeBytes?: number | undefined;
  readonly onLog: (entry: ProcessLogEntry) => void;
  /** The main module of the process. Default: the one that taps the embedded engine. */
  readonly file?: string | undefined;
}

/** What is known of a part that is being written. */
interface OpenPart {
  bytes: number;
  durationMs: number;
}

/** A disk may need some time for what waits. */
const CLOSE_TIMEOUT_MS = 15_000;

/** Writes parts in a process of its own, which starts with the first part, and is started again when it dies. */
export class RecorderProcess extends Emitter<RecorderEvents> implements Recorder {
  readonly #process: SupervisedProcess<MessageToRecorder, MessageFromRecorder>;
  readonly #parts = new Map<string, OpenPart>();
  /** Parts that begin when the process runs again, by id. */
  readonly #waiting = new Map<string, PartOrder>();

  readonly #leastFreeBytes: number | undefined;

  constructor({
    sandbox,
    leastFreeBytes,
    onLog,
    file = moduleBeside('recorder-main', import.meta),
  }: RecorderProcessOptions) {
    super('recording');
    this.#leastFreeBytes = leastFreeBytes;
    this.#process = new SupervisedProcess({ name: 'recorder', file, sandbox, onLog, closeTimeoutMs: CLOSE_TIMEOUT_MS });
    this.#process.on(
      'message',
      contain('recording', (message) => this.#onMessage(message)),
    );
    this.#process.on(
      'exit',
      contain('recording', () => {
        // Before any listener orders the next part.
        const lost = [...this.#parts.keys()].filter((partId) => !this.#waiting.has(partId));
        for (const partId of lost) this.#end(partId, 'recorder_lost', 'the process of the recorder ended');
      }),
    );
  }

  /** Undefined before the first part, and while it is started again. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The process died, and has not answered again. */
  get isAway(): boolean {
    return this.#process.isAway;
  }

  /** Whether a part can begin. */
  get isReady(): boolean {
    return this.#process.isReady;
  }

  /** While the process is started, the part waits for it. */
  start(order: PartOrder): void {
    const { partId } = order;
    this.#parts.set(partId, { bytes: 0, durationMs: 0 });
    if (this.#begin(order)) return;
    this.#waiting.set(partId, order);
    // Later than the code that called: it may not know of the part yet.
    if (!this.#process.start()) setImmediate(contain('recording', () => this.stop(partId)));
  }

  stop(partId: string): void {
    // Later than the code that called: it may not know of the part yet.
    if (this.#waiting.delete(partId)) setImmediate(contain('recording', () => this.#end(partId, 'stopped')));
    else if (this.#parts.has(partId)) this.#process.send({ type: 'stop', partId });
  }

  async close(): Promise<void> {
    for (const partId of this.#waiting.keys()) this.#end(partId, 'stopped');
    this.#waiting.clear();
    await this.#process.close();
  }

  #begin(order: PartOrder): boolean {
    return this.#process.send({ type: 'start', order, leastFreeBytes: this.#leastFreeBytes });
  }

  #startWaiting(): void {
    for (const [partId, order] of this.#waiting) {
      if (this.#begin(order)) this.#waiting.delete(partId);
    }
  }

  #onMessage(message: MessageFromRecorder): void {
    switch (message.type) {
      case 'started':
        this.emit('started', message.start);
        return;
      case 'progress': {
        const { partId, bytes, durationMs } = message.progress;
        if (!this.#parts.has(partId)) return;
        this.#parts.set(partId, { bytes, durationMs });
        this.emit('progress', message.progress);
        return;
      }
      case 'ended':
        if (this.#parts.delete(message.end.partId)) this.emit('ended', message.end);
        return;
      case 'ready':
        this.#startWaiting();
        return;
      case 'pong':
    }
  }

  #end(partId: string, reason: PartEndReason, detail?: string): void {
    const part = this.#parts.get(partId);
    if (!part) return;
    this.#parts.delete(partId);
    this.emit('ended', { partId, reason, detail, ...part });
  }
}
