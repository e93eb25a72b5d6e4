import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ApiError, NotFoundError } from '../errors.js';
import type { SessionEvents, StopNotice } from '../sessions/session-events.js';
import type { ClientEvent } from '../streams/stream-event.js';
import { EventStream, RECONNECT } from './event-stream.js';

/** A page needs one, and a few more when it loses track of those that it opened. */
const MOST_STREAMS = 8;

interface Opened {
  /** Undefined: all. */
  readonly events: ReadonlySet<string> | undefined;
  connected: EventStream | undefined;
}

/**
 * What a WHEP session hears of its stream, for as many event streams as its client opens. One that connects late, or
 * again, is first told everything that is true.
 */
export class WhepEventStreams implements SessionEvents {
  readonly #onStop: (notice: StopNotice) => void;
  readonly #streams = new Map<string, Opened>();
  /** What is true: each live source with its tracks, the number of viewers, the layers. */
  readonly #truths = new Map<string, ClientEvent>();

  constructor(onStop: (notice: StopNotice) => void) {
    this.#onStop = onStop;
  }

  /** Makes a stream that may be connected to by its id. @throws {ApiError} 429 `too_many_event_streams` */
  open(events: readonly string[] | undefined): string {
    if (this.#streams.size >= MOST_STREAMS) {
      throw new ApiError(429, 'too_many_event_streams', `A session has ${MOST_STREAMS} event streams at most`);
    }
    const id = randomUUID();
    this.#streams.set(id, { events: events && new Set(events), connected: undefined });
    return id;
  }

  /** Tells over `response` from now on, in place of the response before. @throws {NotFoundError} */
  connect(id: string, response: ServerResponse): void {
    const opened = this.#opened(id);
    opened.connected?.end();
    const stream = new EventStream(response, () => {
      if (opened.connected === stream) opened.connected = undefined;
    });
    opened.connected = stream;
    for (const event of this.#truths.values()) deliver(opened, event);
  }

  /** @throws {NotFoundError} `session_not_found` */
  close(id: string): void {
    const { connected } = this.#opened(id);
    this.#streams.delete(id);
    connected?.end();
  }

  send(event: ClientEvent): void {
    this.#remember(event);
    for (const opened of this.#streams.values()) deliver(opened, event);
  }

  stop(notice: StopNotice): void {
    for (const { connected } of this.#streams.values()) connected?.stop(notice);
    this.#streams.clear();
    this.#onStop(notice);
  }

  /** The client ends the session itself. */
  closeAll(): void {
    for (const { connected } of this.#streams.values()) connected?.end();
    this.#streams.clear();
  }

  #opened(id: string): Opened {
    const opened = this.#streams.get(id);
    if (!opened) throw new NotFoundError('session_not_found', 'There is no such event stream, or no longer');
    return opened;
  }

  #remember(event: ClientEvent): void {
    if (event.name === 'migrate') return;
    if (event.name === 'viewercount' || event.name === 'layers') {
      this.#truths.set(event.name, event);
      return;
    }
    const source = `source ${event.data.sourceId ?? ''}`;
    if (event.name === 'inactive') this.#truths.delete(source);
    else this.#truths.set(source, event.name === 'active' ? event : { ...event, name: 'active' });
  }
}

function deliver({ events, connected }: Opened, event: ClientEvent): void {
  const name = event.name === 'migrate' ? RECONNECT : event.name;
  if (!events || events.has(name)) connected?.send(event);
}
