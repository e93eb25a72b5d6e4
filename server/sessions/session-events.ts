import type { ClientEvent } from '../streams/stream-event.js';
import type { StopNotice } from './stop-notice.js';

/** Through this a session reaches its client: over a websocket, over server-sent events, or not at all. Never throws. */
export interface SessionEvents {
  send(event: ClientEvent): void;
  /** The server ended the session. */
  stop(notice: StopNotice): void;
}

/**
 * The events of one session for its client: only those that the client selected. They are buffered until a connection
 * is attached, because a session can start before its websocket.
 */
export class SessionOutbox implements SessionEvents {
  #connection: SessionEvents | undefined;
  /** The names of the events to send. Undefined: all events. */
  #selected: ReadonlySet<string> | undefined;
  #buffered: ClientEvent[] = [];
  #stopped: StopNotice | undefined;

  /** The notice that the session was stopped with; undefined if it was not. */
  get stopped(): StopNotice | undefined {
    return this.#stopped;
  }

  /** Sends what was buffered, and from now on every event. */
  attach(connection: SessionEvents): void {
    this.#connection = connection;
    for (const event of this.takeBuffered()) connection.send(event);
    if (this.#stopped) connection.stop(this.#stopped);
  }

  /** Removes the buffered events, for a caller that sends them in another way. */
  takeBuffered(): readonly ClientEvent[] {
    return this.#buffered.splice(0);
  }

  /** Undefined selects all events. A stop notice, and that the viewer waits, are sent in any case. */
  selectEvents(names: readonly string[] | undefined): void {
    this.#selected = names && new Set(names);
  }

  send(event: ClientEvent): void {
    if (this.#selected && event.name !== 'waiting' && !this.#selected.has(event.name)) return;
    if (this.#connection) this.#connection.send(event);
    else this.#buffered.push(event);
  }

  stop(notice: StopNotice): void {
    this.#stopped = notice;
    this.#connection?.stop(notice);
  }
}
