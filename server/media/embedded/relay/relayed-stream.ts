import { connect } from 'node:net';
import { after } from '../../../faults/timers.js';
import type { RouterHandle } from '../stream/router-registry.js';
import type { RelayHost } from './relay-host.js';
import { RelayConnection } from './relay-connection.js';
import { RelayedSources } from './relayed-sources.js';

const RECONNECT_DELAY_MS = 200;
/** Viewers are not kept waiting longer for the home to list its sources. */
const READY_TIMEOUT_MS = 500;

/**
 * A stream whose publishers are in another worker, its home. It receives the home's packets, and reconnects when the
 * connection breaks, until it is closed.
 */
export class RelayedStream {
  readonly path: string;
  readonly #name: string;
  readonly #host: RelayHost;
  readonly #handle: RouterHandle;
  readonly #sources: RelayedSources;
  #connection: RelayConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #resolveReady: () => void = () => {};
  /** Resolves when the home's sources are known, or after a timeout. */
  readonly ready: Promise<void>;

  /** @param path where the home listens */
  constructor(name: string, path: string, host: RelayHost) {
    this.#name = name;
    this.path = path;
    this.#host = host;
    this.#handle = host.acquireRouter(name);
    this.#sources = new RelayedSources({ router: this.#handle.router });
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
    const timeout = setTimeout(this.#resolveReady, READY_TIMEOUT_MS);
    void this.ready.then(() => clearTimeout(timeout));
    this.#connect();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#resolveReady();
    this.#connection?.close();
    this.#sources.endAll();
    this.#handle.release();
  }

  #connect(): void {
    const connection = new RelayConnection(connect(this.path), {
      onMessage: (message) => {
        if (message.type === 'current') this.#resolveReady();
        else this.#sources.onMessage(connection, message);
      },
      onPacket: (source, encoding, packet) => this.#sources.onPacket(source, encoding, packet, this.#host.onPacket()),
      onDrain: () => {},
      onClosed: () => {
        this.#sources.endAll();
        this.#timer = after('media', RECONNECT_DELAY_MS, () => this.#connect());
      },
    });
    this.#connection = connection;
    connection.send({ type: 'follow', stream: this.#name });
  }
}
