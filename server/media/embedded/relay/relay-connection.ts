import type { Socket } from 'node:net';
import type { FedPacket } from '../producer/fed-source.js';
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

/** For memory's sake: more than 10 Mbit/s bring in 5 s. */
const MAX_BUFFERED_BYTES = 8 << 20;

/** One end of a connection between two workers. Frames of one turn of the event loop are written together. */
export class RelayConnection {
  readonly #socket: Socket;
  readonly #listener: RelayConnectionListener;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  /** When the writes began that the system has not taken yet, oldest first. */
  readonly #writes: number[] = [];
  #isFull = false;
  #closed = false;

  constructor(socket: Socket, listener: RelayConnectionListener) {
    this.#socket = socket;
    this.#listener = listener;
    const frames = new RelayFrameReader({
      onMessage: (message) => !this.#closed && listener.onMessage(message),
      onPacket: (...packet) => !this.#closed && listener.onPacket(...packet),
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

  /**
   * @param maxWaitMs no packet is added to others that have waited for longer
   * @returns false if the packet was not sent, because what was sent before still waits; `onDrain` is called when it does
   *   not any more
   */
  sendPacket(source: number, encoding: number, packet: FedPacket, maxWaitMs: number): boolean {
    if (this.#waitMs > maxWaitMs || this.#socket.writableLength + this.#queuedBytes > MAX_BUFFERED_BYTES) {
      this.#isFull = true;
      return false;
    }
    this.#enqueue(packetFrame(source, encoding, packet));
    return true;
  }

  /** How long the oldest write has waited. */
  get #waitMs(): number {
    const [oldest] = this.#writes;
    return oldest === undefined ? 0 : performance.now() - oldest;
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
    this.#writes.push(performance.now());
    this.#socket.write(frames.length === 1 ? frames[0]! : Buffer.concat(frames), () => this.#writes.shift());
  }

  #onDrain(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    if (!this.#closed) this.#listener.onDrain();
  }
}
