import type { WebSocket } from 'ws';
import type { SessionLine, StopNotice } from '../sessions/session-line.js';
import type { StreamEvent } from '../streams/stream-event.js';
import { eventFrame } from './frame.js';

/** A client that reads so slowly that this much waits for it is cut, before it costs the memory of everybody. */
const MOST_BUFFERED_BYTES = 1_000_000;

/** One event told to thousands is written down once. */
const encoded = new WeakMap<StreamEvent, Buffer>();

function encode(event: StreamEvent): Buffer {
  const known = encoded.get(event);
  if (known) return known;
  const frame = Buffer.from(eventFrame(event.name, event.seq, event.data));
  encoded.set(event, frame);
  return frame;
}

/**
 * The sending half of one websocket, which may come later than what there is to say: that is kept for it. Sending to a
 * client that is gone does nothing.
 */
export class Channel implements SessionLine {
  #socket: WebSocket | undefined;
  /** The events that the client asked for; undefined: it did not say, and hears all. */
  #wanted: ReadonlySet<string> | undefined;
  #kept: StreamEvent[] = [];
  #stopped: StopNotice | undefined;

  constructor(socket?: WebSocket) {
    this.#socket = socket;
  }

  /** Why the client was told to go; undefined: it was not. */
  get stopped(): StopNotice | undefined {
    return this.#stopped;
  }

  /** The socket has come, and hears what was kept. */
  connect(socket: WebSocket): void {
    this.#socket = socket;
    for (const event of this.takeKept()) this.#write(encode(event));
    if (this.#stopped) this.stop(this.#stopped);
  }

  /** What was said so far and no socket heard, in order; for who tells the client in another way. */
  takeKept(): readonly StreamEvent[] {
    return this.#kept.splice(0);
  }

  want(events: readonly string[] | undefined): void {
    this.#wanted = events && new Set(events);
  }

  send(frame: string): void {
    this.#write(frame);
  }

  tell(event: StreamEvent): void {
    if (this.#wanted && !this.#wanted.has(event.name)) return;
    if (this.#socket) this.#write(encode(event));
    else this.#kept.push(event);
  }

  /** Says why, whether the client asked for such events or not, and closes. */
  stop(notice: StopNotice): void {
    this.#stopped = notice;
    const { closeCode, seq, ...data } = notice;
    this.#write(eventFrame('stopped', seq, data));
    this.#socket?.close(closeCode, data.code);
  }

  /** The client is done. */
  close(): void {
    this.#socket?.close(1000);
  }

  #write(frame: string | Buffer): void {
    const socket = this.#socket;
    if (!socket || socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MOST_BUFFERED_BYTES) {
      socket.terminate();
      return;
    }
    socket.send(frame, { binary: false });
  }
}
