import { EventEmitter } from 'node:events';
import { moduleBeside } from '../../child-process.js';
import type { PartEndReason, PartOrder, Recorder, RecorderEvents } from '../recorder.js';
import { SupervisedProcess, type ProcessLogEntry } from '../supervised-process.js';
import type { MessageFromRecorder, MessageToRecorder } from './recorder-messages.js';

export interface RecorderProcessOptions {
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

/** Writes parts in a process of its own, which is started again when it dies. */
export class RecorderProcess extends EventEmitter<RecorderEvents> implements Recorder {
  readonly #process: SupervisedProcess<MessageToRecorder, MessageFromRecorder>;
  readonly #parts = new Map<string, OpenPart>();

  /** @throws {Error} if its process does not start */
  static async start(options: RecorderProcessOptions): Promise<RecorderProcess> {
    const recorder = new RecorderProcess(options);
    await recorder.#process.start();
    return recorder;
  }

  private constructor({ onLog, file = moduleBeside('recorder-main', import.meta) }: RecorderProcessOptions) {
    super();
    this.#process = new SupervisedProcess({ name: 'recorder', file, onLog, closeTimeoutMs: CLOSE_TIMEOUT_MS });
    this.#process.on('message', (message) => this.#onMessage(message));
    this.#process.on('exit', () => {
      for (const partId of this.#parts.keys()) this.#end(partId, 'recorder_lost', 'the process of the recorder ended');
    });
  }

  /** Undefined while it is started again. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Whether a part can begin. */
  get isReady(): boolean {
    return this.#process.isReady;
  }

  start(order: PartOrder): void {
    const { partId } = order;
    this.#parts.set(partId, { bytes: 0, durationMs: 0 });
    if (this.#process.send({ type: 'start', order })) return;
    // Later than the code that called: it does not know of the part yet.
    setImmediate(() => this.#end(partId, 'recorder_lost', 'the process of the recorder is being started'));
  }

  stop(partId: string): void {
    if (this.#parts.has(partId)) this.#process.send({ type: 'stop', partId });
  }

  async close(): Promise<void> {
    await this.#process.close();
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
      case 'pong':
    }
  }

  #end(partId: string, reason: PartEndReason, detail: string): void {
    const part = this.#parts.get(partId);
    if (!part) return;
    this.#parts.delete(partId);
    this.emit('ended', { partId, reason, detail, ...part });
  }
}
