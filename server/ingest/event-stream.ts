import type { ServerResponse } from 'node:http';
import { contain } from '../faults/contain.js';
import { every } from '../faults/timers.js';
import type { StopNotice } from '../sessions/stop-notice.js';
import type { ClientEvent } from '../streams/stream-event.js';

/** A connection with more unsent bytes than this is destroyed: the memory of a slow reader is limited. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** Most proxies close a connection after a minute without data. */
const KEEP_ALIVE_INTERVAL_MS = 15_000;

/** The WHEP draft's name for the event that tells a client to connect again, because the server stops or moves. */
export const RECONNECT = 'reconnect';

/** An event for many clients is encoded once. */
const encodedEvents = new WeakMap<ClientEvent, string>();

/** Server-sent events over one response (HTML Living Standard 9.2), until the response is ended or its client leaves. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response;
    this.#keepAlive = every('ingest', KEEP_ALIVE_INTERVAL_MS, () => this.#write(':\n\n'));
    this.#keepAlive.unref();
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // nginx buffers responses and would delay every event.
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    response.on('error', () => response.destroy());
    response.once(
      'close',
      contain('ingest', () => {
        clearInterval(this.#keepAlive);
        onClose();
      }),
    );
  }

  send(event: ClientEvent): void {
    let text = encodedEvents.get(event);
    if (text === undefined) encodedEvents.set(event, (text = eventText(event)));
    this.#write(text);
  }

  /** Sends the notice as a `stopped` event and ends the response. */
  stop({ streamId, code, message, seq }: StopNotice): void {
    this.#write(eventText({ name: 'stopped', seq, data: { streamId, code, message } }));
    this.#response.end();
  }

  /** Ends the response without a notice. */
  end(): void {
    this.#response.end();
  }

  #write(text: string): void {
    const response = this.#response;
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > MAX_BUFFERED_BYTES) {
      response.destroy();
      return;
    }
    response.write(text);
  }
}

interface EncodableEvent {
  readonly name: string;
  readonly seq: number;
  readonly data: object;
}

/** One `data` line is enough: JSON text has no line breaks. */
function eventText({ name, seq, data }: EncodableEvent): string {
  return `id: ${seq}\nevent: ${name === 'migrate' ? RECONNECT : name}\ndata: ${JSON.stringify(data)}\n\n`;
}
