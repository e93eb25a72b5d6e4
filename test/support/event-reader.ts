import { within } from './media/until.js';

/** A client of server-sent events: the events that the server sends, and the end of the connection. */
export class EventReader {
  /** The names of all received events, in order. */
  readonly names: string[] = [];
  /** Resolves when the server ends the response or `close` is called. */
  readonly closed: Promise<void>;
  readonly #events: { name: string; data: ReturnType<typeof JSON.parse> }[] = [];
  readonly #abort: AbortController;
  #notify: () => void = () => {};
  #ended = false;

  static async open(url: URL): Promise<EventReader> {
    const abort = new AbortController();
    const response = await fetch(url, { signal: abort.signal, headers: { accept: 'text/event-stream' } });
    const type = response.headers.get('content-type');
    if (!response.ok || !response.body || !type?.startsWith('text/event-stream')) {
      throw new Error(`no events: ${response.status} ${type}`);
    }
    return new EventReader(response.body, abort);
  }

  private constructor(body: ReadableStream<Uint8Array>, abort: AbortController) {
    this.#abort = abort;
    this.closed = this.#read(body).finally(() => {
      this.#ended = true;
      this.#notify();
    });
  }

  /** The data of the next event with this name, each event once. */
  async event(name: string): Promise<ReturnType<typeof JSON.parse>> {
    return await within(() => `the event ${name}, after ${this.names.join()}`, this.#event(name));
  }

  async #event(name: string): Promise<ReturnType<typeof JSON.parse>> {
    for (;;) {
      const found = this.#events.findIndex((event) => event.name === name);
      if (found >= 0) return this.#events.splice(found, 1)[0]!.data;
      if (this.#ended) throw new Error(`the events ended without ${name}`);
      await new Promise<void>((resolve) => (this.#notify = resolve));
    }
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) this.#take(block);
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const [name, data] = [fields.get('event'), fields.get('data')];
    if (name === undefined || data === undefined) return;
    this.names.push(name);
    this.#events.push({ name, data: JSON.parse(data) });
    this.#notify();
  }
}
