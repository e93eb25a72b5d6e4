import { randomUUID } from 'node:crypto';
import { MediaError } from '../../engine/media-error.js';
import { EdgeStream } from '../relay/edge-stream.js';
import type { RelayHost } from '../relay/relay-host.js';
import { ServerRelay } from '../relay/server-relay.js';
import type { Sfu } from './sfu.js';

export interface ServerRelaysOptions {
  readonly sfu: Pick<Sfu, 'socket' | 'candidates'>;
  readonly host: RelayHost;
  /** The link of a relay broke. Never after `close`. */
  readonly onLost: (id: string) => void;
}

interface Offered {
  readonly accept: (answer: string) => void;
  readonly refuse: (error: Error) => void;
  readonly connected: Promise<EdgeStream>;
}

/** A worker's part in streams that several servers carry, by the id of each relay. */
export class ServerRelays {
  readonly #options: ServerRelaysOptions;
  readonly #open = new Map<string, { close(): void }>();
  /** The other server has not answered yet. */
  readonly #offered = new Map<string, Offered>();

  constructor(options: ServerRelaysOptions) {
    this.#options = options;
  }

  /** Sends a stream of this worker's publishers to another server. @throws {MediaError} */
  async send(stream: string, offer: string): Promise<{ readonly id: string; readonly answer: string }> {
    const { sfu, host } = this.#options;
    const id = randomUUID();
    const relay = await ServerRelay.open(offer, host.acquireRouter(stream), {
      socket: sfu.socket,
      candidates: (gathered) => sfu.candidates(gathered),
      onClosed: () => this.#lose(id),
    });
    this.#open.set(id, relay);
    return { id, answer: relay.answer };
  }

  /** Begins to receive a stream. `accept` or `close` follows. @throws {MediaError} */
  async offer(stream: string): Promise<{ readonly id: string; readonly offer: string }> {
    const { sfu, host } = this.#options;
    const id = randomUUID();
    const offered = Promise.withResolvers<string>();
    const answered = Promise.withResolvers<string>();
    const exchange = (offer: string): Promise<string> => {
      offered.resolve(offer);
      return answered.promise;
    };
    const onClosed = (): void => this.#lose(id);
    const connected = EdgeStream.connect(stream, exchange, { socket: sfu.socket, host, onClosed });
    this.#offered.set(id, { accept: answered.resolve, refuse: answered.reject, connected });
    // Also while nobody has answered: the link gives up by itself, and nobody may ever close what was never open.
    connected.catch((error: Error) => {
      this.#offered.delete(id);
      offered.reject(error);
    });
    return { id, offer: await offered.promise };
  }

  /** Resolves when the sources of the stream are known. @throws {MediaError} */
  async accept(id: string, answer: string): Promise<void> {
    const offered = this.#offered.get(id);
    if (!offered) throw new MediaError('engine_unavailable', 'the relay has ended');
    offered.accept(answer);
    try {
      const edge = await offered.connected;
      if (this.#offered.has(id)) this.#open.set(id, edge);
      else edge.close();
    } finally {
      this.#offered.delete(id);
    }
  }

  /** @returns false if there is no such relay */
  close(id: string): boolean {
    this.#offered.get(id)?.refuse(new MediaError('engine_unavailable', 'the relay was given up'));
    const relay = this.#open.get(id);
    relay?.close();
    return this.#open.delete(id) || this.#offered.delete(id);
  }

  closeAll(): void {
    for (const id of [...this.#offered.keys(), ...this.#open.keys()]) this.close(id);
  }

  #lose(id: string): void {
    if (this.#open.delete(id)) this.#options.onLost(id);
  }
}
