import type { Logger } from 'pino';
import { attempt } from '../faults/contain.js';
import type { StartTimer } from './open/open-recording.js';
import { NOTE_EVERY_MS, type RecordingStore } from './recording-store.js';

export interface RunningNoteOptions {
  readonly store: Pick<RecordingStore, 'noteRunning'>;
  readonly nodeId: string;
  readonly startTimer: StartTimer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

/** Tells other servers on the database that this one is running: they take over none of its recordings. */
export class RunningNote {
  readonly #options: RunningNoteOptions;
  #cancelTimer: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: RunningNoteOptions) {
    this.#options = options;
  }

  /** Never rejects. Resolves when it is written for the first time; goes on until `close`. */
  async begin(): Promise<void> {
    if (this.#isClosed) return;
    this.#writing = this.#write();
    await this.#writing;
    if (!this.#isClosed)
      this.#cancelTimer = this.#options.startTimer(NOTE_EVERY_MS, () => attempt('recording', () => this.begin()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { store, nodeId, now, log } = this.#options;
    await store.noteRunning(nodeId, now()).catch((err: unknown) => {
      log.warn({ err }, 'other servers were not told that this one is running');
    });
  }
}
