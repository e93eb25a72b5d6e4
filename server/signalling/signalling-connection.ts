import type { WebSocket } from 'ws';
import type { SessionEvents, StopNotice } from '../sessions/session-events.js';
import type { ClientEvent } from '../streams/stream-event.js';
import { eventFrame } from './frame.js';

/** A client that reads so slowly that this much waits for it is cut, before it costs the memory of everybody. */
const MOST_BUFFERED_BYTES = 1_000_000;

/** One event told to thousands is written down once. */
const encoded = new WeakMap<ClientEvent, Buffer>();

function encode(event: ClientEvent): Buffer {
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
export class SignallingConnection implements SessionEvents {
  #socket: WebSocket | undefined;
  /** The events that the client asked for; undefined: it did not say, and hears all. */
  #wanted: ReadonlySet<string> | undefined;
  #kept: ClientEvent[] = [];
  #stopped: StopNotice | undefined;

  constructor(socket?: WebSocket) {
    this.#socket = socket;
  }

  /** Why the client was told to go; undefined: it was not. */
  get stopped(): StopNotice | undefined {
    return this.#stopped;
  }

  /** The socket has come, and hears what was kept. */
  attachSocket(socket: WebSocket): void {
    this.#socket = socket;
    for (const event of this.takeBuffered()) this.#write(encode(event));
    if (this.#stopped) this.stop(this.#stopped);
  }

  /** What was said so far and no socket heard, in order; for who tells the client in another way. */
  takeBuffered(): readonly ClientEvent[] {
    return this.#kept.splice(0);
  }

  selectEvents(events: readonly string[] | undefined): void {
    this.#wanted = events && new Set(events);
  }

  sendFrame(frame: string): void {
    this.#write(frame);
  }

  send(event: ClientEvent): void {
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
