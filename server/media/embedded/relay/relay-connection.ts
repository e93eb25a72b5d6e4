import type { Socket } from 'node:net';
import { contain } from '../../../faults/contain.js';
import { after } from '../../../faults/timers.js';
import type { FedPacket } from '../producer/fed-source.js';
import { FrameBatch, recycle } from './frame-batch.js';
import { RelayFrameReader, messageFrame, type RelayMessage } from './relay-frames.js';
import type { RelayLink, RelayLinkListener, SendPacketOptions } from './relay-link.js';

/** For memory's sake: more than 10 Mbit/s bring in 5 s. */
const MAX_BUFFERED_BYTES = 8 << 20;

/** One end of a connection between two processes. Frames of one turn of the event loop are written together. */
export class RelayConnection implements RelayLink {
  readonly #socket: Socket;
  readonly #listener: RelayLinkListener;
  readonly #batch = new FrameBatch();
  #gatherMs = 0;
  /** When the writes began that the system has not taken yet, oldest first. */
  readonly #writes: number[] = [];
  #isFull = false;
  #closed = false;

  constructor(socket: Socket, listener: RelayLinkListener) {
    this.#socket = socket;
    this.#listener = listener;
    const frames = new RelayFrameReader({
      onMessage: (message) => !this.#closed && listener.onMessage(message),
      onPacket: (...packet) => !this.#closed && listener.onPacket(...packet),
    });
    socket.on(
      'data',
      contain('media', (chunk) => frames.read(chunk), { onFault: () => socket.destroy() }),
    );
    // `close` follows and does the cleanup.
    socket.on('error', () => {});
    socket.on(
      'close',
      contain('media', () => {
        if (this.#closed) return;
        this.close();
        listener.onClosed();
      }),
    );
  }

  /** From now on frames are written together that follow within this time: for a receiver that need not have them at once. */
  gather(ms: number): void {
    this.#gatherMs = ms;
  }

  send(message: RelayMessage): void {
    if (this.#closed) return;
    this.#flushLater();
    this.#batch.add(messageFrame(message));
  }

  sendPacket(
    source: number,
    encoding: number,
    packet: FedPacket,
    { maxWaitMs }: Pick<SendPacketOptions, 'maxWaitMs'>,
  ): boolean {
    if (this.#waitMs > maxWaitMs || this.#socket.writableLength + this.#batch.bytes > MAX_BUFFERED_BYTES) {
      this.#isFull = true;
      return false;
    }
    if (this.#closed) return true;
    this.#flushLater();
    this.#batch.addPacket(source, encoding, packet);
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
    this.#socket.destroy();
  }

  /** Call before each frame is added. */
  #flushLater(): void {
    if (this.#batch.bytes) return;
    if (this.#gatherMs) after('media', this.#gatherMs, () => this.#flush());
    else setImmediate(contain('media', () => this.#flush()));
  }

  #flush(): void {
    if (this.#closed) return;
    const buffers = this.#batch.take();
    this.#socket.cork();
    for (const written of buffers) {
      this.#writes.push(performance.now());
      this.#socket.write(written, (error) => {
        this.#writes.shift();
        // After an error the system may still read it.
        if (error) return;
        recycle(written);
        // `drain` comes only after more has waited than the socket's high-water mark.
        if (!this.#writes.length) this.#onDrain();
      });
    }
    this.#socket.uncork();
  }

  #onDrain(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    if (!this.#closed) this.#listener.onDrain();
  }
}
