import type { WebSocket } from 'ws';
import type { SessionEvents } from '../sessions/session-events.js';
import type { StopNotice } from '../sessions/stop-notice.js';
import type { ClientEvent } from '../streams/stream-event.js';
import { eventFrame } from './frame.js';

/** A connection with more unsent bytes than this is terminated: the memory of a slow reader is limited. */
const MAX_BUFFERED_BYTES = 1_000_000;

/** An event for many clients is encoded once. */
const encodedEvents = new WeakMap<ClientEvent, Buffer>();

function encode(event: ClientEvent): Buffer {
  const known = encodedEvents.get(event);
  if (known) return known;
  const frame = Buffer.from(eventFrame(event.name, event.seq, event.data));
  encodedEvents.set(event, frame);
  return frame;
}

/** The sending half of one websocket. Sending does nothing after the websocket was closed. */
export class SignallingConnection implements SessionEvents {
  readonly #socket: WebSocket;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  send(event: ClientEvent): void {
    this.#write(encode(event));
  }

  /** Sends the notice as a `stopped` event and closes the websocket. */
  stop({ closeCode, seq, ...data }: StopNotice): void {
    this.#write(eventFrame('stopped', seq, data));
    this.#socket.close(closeCode, data.code);
  }

  sendFrame(frame: string): void {
    this.#write(frame);
  }

  /** Closes the websocket for a client that ended its session. */
  close(): void {
    this.#socket.close(1000);
  }

  #write(frame: string | Buffer): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      socket.terminate();
      return;
    }
    socket.send(frame, { binary: false });
  }
}
