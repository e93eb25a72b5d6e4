import { leavingSpace } from '../storage/free-space.js';
import { createFile } from './append-file.js';
import type { MessageFromRecorder, MessageToRecorder } from './recorder-messages.js';
import { PartRecorder, type PartListener, type PartSurroundings } from './part-recorder.js';

/** The recorder inside its process: one `PartRecorder` for each part. */
export class RecorderServer {
  readonly #surroundings: PartSurroundings;
  readonly #send: (message: MessageFromRecorder) => void;
  readonly #parts = new Map<string, PartRecorder>();
  #isClosing = false;

  constructor(surroundings: PartSurroundings, send: (message: MessageFromRecorder) => void) {
    this.#surroundings = surroundings;
    this.#send = send;
  }

  onMessage(message: MessageToRecorder): void {
    switch (message.type) {
      case 'start': {
        const { order, leastFreeBytes } = message;
        if (this.#isClosing || this.#parts.has(order.partId)) return;
        const surroundings = { openFile: leavingSpace(createFile, leastFreeBytes), ...this.#surroundings };
        this.#parts.set(order.partId, new PartRecorder(order, surroundings, this.#listener));
        return;
      }
      case 'stop':
        void this.#parts.get(message.partId)?.stop();
        return;
      case 'ping':
        this.#send({ type: 'pong' });
        return;
    }
  }

  /** Resolves when the files of all parts are complete. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#parts.values()].map((part) => part.stop()));
  }

  readonly #listener: PartListener = {
    onStarted: (start) => this.#send({ type: 'started', start }),
    onProgress: (progress) => this.#send({ type: 'progress', progress }),
    onEnded: (end) => {
      this.#parts.delete(end.partId);
      this.#send({ type: 'ended', end });
    },
  };
}
