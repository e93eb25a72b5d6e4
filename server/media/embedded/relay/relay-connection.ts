import type { Socket } from 'node:net';
import {
  RelayFrameReader,
  messageFrame,
  packetFrame,
  type RelayFrameListener,
  type RelayMessage,
} from './relay-frames.js';

export interface RelayConnectionListener extends RelayFrameListener {
  /** `sendPacket` can be called again after it returned false. */
  onDrain(): void;
  /** The connection broke, or the other end closed it. Called once, and never after `close()`. */
  onClosed(): void;
}

/** What a connection that another process opened is for, after its first message. */
export interface IncomingRole extends Omit<RelayConnectionListener, 'onClosed'> {
  close(): void;
}

/** Seconds of video. A follower should be only milliseconds behind, so more is not buffered. */
const MAX_BUFFERED_BYTES = 1 << 20;

/** One end of a connection between two workers. Frames of one turn of the event loop are written together. */
export class RelayConnection {
  readonly #socket: Socket;
  readonly #listener: RelayConnectionListener;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #isFull = false;
  #closed = false;

  constructor(socket: Socket, listener: RelayConnectionListener) {
    this.#socket = socket;
    this.#listener = listener;
    const frames = new RelayFrameReader({
      onMessage: (message) => !this.#closed && listener.onMessage(message),
      onPacket: (...sendPacket) => !this.#closed && listener.onPacket(...sendPacket),
    });
    socket.on('data', (chunk) => {
      try {
        frames.read(chunk);
      } catch {
        socket.destroy();
      }
    });
    socket.on('drain', () => this.#onDrain());
    // `close` follows and does the cleanup.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#closed) return;
      this.close();
      listener.onClosed();
    });
  }

  send(message: RelayMessage): void {
    this.#enqueue(messageFrame(message));
  }

  /** @returns false if the buffer is full and the packet was not sent; `onDrain` is called when there is room again */
  sendPacket(source: number, encoding: number, sequence: number, packet: Buffer): boolean {
    if (this.#socket.writableLength + this.#queuedBytes > MAX_BUFFERED_BYTES) {
      this.#isFull = true;
      return false;
    }
    this.#enqueue(packetFrame(source, encoding, sequence, packet));
    return true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue = [];
    this.#socket.destroy();
  }

  #enqueue(frame: Buffer): void {
    if (this.#closed) return;
    if (this.#queue.push(frame) === 1) setImmediate(() => this.#flush());
    this.#queuedBytes += frame.length;
  }

  #flush(): void {
    if (this.#closed) return;
    const frames = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#socket.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames));
  }

  #onDrain(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    if (!this.#closed) this.#listener.onDrain();
  }
}
