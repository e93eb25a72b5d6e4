import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ApiError, NotFoundError } from '../errors.js';
import type { SessionEvents } from '../sessions/session-events.js';
import type { StopNotice } from '../sessions/stop-notice.js';
import type { ClientEvent } from '../streams/stream-event.js';
import { EventStream, RECONNECT } from './event-stream.js';

/** A page needs one event stream. A page that loses the URL of one opens another. */
const MAX_STREAMS = 8;

interface OpenedStream {
  /** The names of the selected events. Undefined: all events. */
  readonly events: ReadonlySet<string> | undefined;
  connected: EventStream | undefined;
}

/**
 * The event streams of one WHEP session. A client that connects late, or again, first receives everything that is true
 * of the stream.
 */
export class WhepEventStreams implements SessionEvents {
  readonly #onStop: (notice: StopNotice) => void;
  readonly #streams = new Map<string, OpenedStream>();
  /** The events that are still true: `active` for each live source, the viewer count, the layers, the paused video. */
  readonly #current = new Map<string, ClientEvent>();

  constructor(onStop: (notice: StopNotice) => void) {
    this.#onStop = onStop;
  }

  /** @returns the id under which a client can connect @throws {ApiError} 429 `too_many_event_streams` */
  open(events: readonly string[] | undefined): string {
    if (this.#streams.size >= MAX_STREAMS) {
      throw new ApiError(429, 'too_many_event_streams', `A session has ${MAX_STREAMS} event streams at most`);
    }
    const id = randomUUID();
    this.#streams.set(id, { events: events && new Set(events), connected: undefined });
    return id;
  }

  /** Sends the events over `response` from now on. The connection before is ended. @throws {NotFoundError} */
  connect(id: string, response: ServerResponse): void {
    const opened = this.#find(id);
    opened.connected?.end();
    const stream = new EventStream(response, () => {
      if (opened.connected === stream) opened.connected = undefined;
    });
    opened.connected = stream;
    for (const event of this.#current.values()) sendSelected(opened, event);
  }

  /** @throws {NotFoundError} `session_not_found` */
  close(id: string): void {
    const { connected } = this.#find(id);
    this.#streams.delete(id);
    connected?.end();
  }

  send(event: ClientEvent): void {
    this.#updateCurrent(event);
    for (const opened of this.#streams.values()) sendSelected(opened, event);
  }

  stop(notice: StopNotice): void {
    for (const { connected } of this.#streams.values()) connected?.stop(notice);
    this.#streams.clear();
    this.#onStop(notice);
  }

  /** The client ends the session. */
  closeAll(): void {
    for (const { connected } of this.#streams.values()) connected?.end();
    this.#streams.clear();
  }

  #find(id: string): OpenedStream {
    const opened = this.#streams.get(id);
    if (!opened) throw new NotFoundError('session_not_found', 'This event stream does not exist or was closed');
    return opened;
  }

  #updateCurrent(event: ClientEvent): void {
    if (event.name === 'migrate' || event.name === 'recording' || event.name === 'waiting') return;
    if (event.name === 'active' || event.name === 'updated')
      this.#current.set(sourceKey(event), { ...event, name: 'active' });
    else if (event.name === 'inactive') this.#current.delete(sourceKey(event));
    else this.#current.set(event.name, event);
  }
}

const sourceKey = ({ data }: Extract<ClientEvent, { name: 'active' | 'updated' | 'inactive' }>): string =>
  `source ${data.sourceId ?? ''}`;

function sendSelected({ events, connected }: OpenedStream, event: ClientEvent): void {
  const name = event.name === 'migrate' ? RECONNECT : event.name;
  if (!events || events.has(name)) connected?.send(event);
}
