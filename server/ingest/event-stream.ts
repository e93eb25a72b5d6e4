import type { ServerResponse } from 'node:http';
import type { StopNotice } from '../sessions/session-events.js';
import type { ClientEvent } from '../streams/stream-event.js';

/** A client that reads so slowly that this much waits for it is cut, before it costs the memory of everybody. */
const MOST_BUFFERED_BYTES = 256 * 1024;
/** Proxies close connections on which nothing happens, most of them after a minute. */
const SIGN_OF_LIFE_MS = 15_000;

/** What the WHEP draft calls it when a client should come in again, as the server ends or moves. */
export const RECONNECT = 'reconnect';

/** One event told to thousands is written down once. */
const encoded = new WeakMap<ClientEvent, string>();

/** Server-sent events over one response (HTML Living Standard 9.2), until it is ended or its client goes. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #signsOfLife: NodeJS.Timeout;

  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response;
    this.#signsOfLife = setInterval(() => this.#write(':\n\n'), SIGN_OF_LIFE_MS);
    this.#signsOfLife.unref();
    // Proxies that gather an answer before they hand it on would hold back every event.
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    response.on('error', () => response.destroy());
    response.once('close', () => {
      clearInterval(this.#signsOfLife);
      onClose();
    });
  }

  send(event: ClientEvent): void {
    let text = encoded.get(event);
    if (text === undefined) encoded.set(event, (text = eventText(event)));
    this.#write(text);
  }

  /** Says why, and hangs up. */
  stop({ streamId, code, message, seq }: StopNotice): void {
    this.#write(eventText({ name: 'stopped', seq, data: { streamId, code, message } }));
    this.#response.end();
  }

  /** Hangs up: another connection took its place. */
  end(): void {
    this.#response.end();
  }

  #write(text: string): void {
    const response = this.#response;
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > MOST_BUFFERED_BYTES) {
      response.destroy();
      return;
    }
    response.write(text);
  }
}

interface Written {
  readonly name: string;
  readonly seq: number;
  readonly data: object;
}

/** In one `data` line, as the draft wants it: JSON has no line breaks of its own. */
function eventText({ name, seq, data }: Written): string {
  return `id: ${seq}\nevent: ${name === 'migrate' ? RECONNECT : name}\ndata: ${JSON.stringify(data)}\n\n`;
}
