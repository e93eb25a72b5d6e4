import type { Socket } from 'node:net';
import {
  RelayFrameReader,
  messageFrame,
  packetFrame,
  type RelayFrameListener,
  type RelayMessage,
} from './relay-frames.js';

export interface RelayConnectionListener extends RelayFrameListener {
  /** There is room again, after a packet was not taken. */
  onDrain(): void;
  /** It broke or was closed at the other end. Said once, and never after `close()`. */
  onClosed(): void;
}

/** More than this waits for nobody: seconds of video for a process that should be milliseconds behind. */
const MOST_WAITING_BYTES = 1 << 20;

/** One end of a connection between two processes. What is written in one turn of the event loop goes out together. */
export class RelayConnection {
  readonly #socket: Socket;
  readonly #listener: RelayConnectionListener;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #refused = false;
  #over = false;

  constructor(socket: Socket, listener: RelayConnectionListener) {
    this.#socket = socket;
    this.#listener = listener;
    const frames = new RelayFrameReader({
      onMessage: (message) => !this.#over && listener.onMessage(message),
      onPacket: (...sendPacket) => !this.#over && listener.onPacket(...sendPacket),
    });
    socket.on('data', (chunk) => {
      try {
        frames.read(chunk);
      } catch {
        socket.destroy();
      }
    });
    socket.on('drain', () => this.#drained());
    // Followed by `close`, which says all.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#over) return;
      this.close();
      listener.onClosed();
    });
  }

  send(message: RelayMessage): void {
    this.#enqueue(messageFrame(message));
  }

  /** False: too much waits already, and it is not sent. `onDrained` says when to try again. */
  packet(source: number, encoding: number, sequence: number, packet: Buffer): boolean {
    if (this.#socket.writableLength + this.#queuedBytes > MOST_WAITING_BYTES) {
      this.#refused = true;
      return false;
    }
    this.#enqueue(packetFrame(source, encoding, sequence, packet));
    return true;
  }

  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#queue = [];
    this.#socket.destroy();
  }

  #enqueue(frame: Buffer): void {
    if (this.#over) return;
    if (this.#queue.push(frame) === 1) setImmediate(() => this.#flush());
    this.#queuedBytes += frame.length;
  }

  #flush(): void {
    if (this.#over) return;
    const frames = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#socket.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames));
  }

  #drained(): void {
    if (!this.#refused) return;
    this.#refused = false;
    if (!this.#over) this.#listener.onDrain();
  }
}
