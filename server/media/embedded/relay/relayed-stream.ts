import { connect } from 'node:net';
import type { RouterHandle } from '../stream/router-registry.js';
import { RelayedSource } from '../producer/fed-source.js';
import type { RelayHost } from './relay-host.js';
import { RelayConnection } from './relay-connection.js';
import type { RelayMessage } from './relay-frames.js';

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
  /** By their number in the home. */
  readonly #sources = new Map<number, RelayedSource>();
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
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
    const timeout = setTimeout(this.#resolveReady, READY_TIMEOUT_MS);
    void this.ready.then(() => clearTimeout(timeout));
    this.#connect();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#resolveReady();
    this.#connection?.close();
    this.#endAll();
    this.#handle.release();
  }

  #connect(): void {
    const connection = new RelayConnection(connect(this.path), {
      onMessage: (message) => this.#onMessage(connection, message),
      onPacket: (source, encoding, packet) => {
        const now = this.#host.onPacket();
        this.#sources.get(source)?.deliver(encoding, packet, now);
      },
      onDrain: () => {},
      onClosed: () => {
        this.#endAll();
        this.#timer = setTimeout(() => this.#connect(), RECONNECT_DELAY_MS);
      },
    });
    this.#connection = connection;
    connection.send({ type: 'follow', stream: this.#name });
  }

  #onMessage(connection: RelayConnection, message: RelayMessage): void {
    if (message.type === 'source') {
      const { source: number, id, tracks } = message;
      const { router } = this.#handle;
      const source = new RelayedSource({
        id,
        tracks,
        events: router.sourceEvents,
        onKeyframeRequest: (encoding, urgency) =>
          connection.send({ type: 'keyframe', source: number, encoding, urgency }),
      });
      this.#sources.set(number, source);
      router.addSource(source);
    } else if (message.type === 'ended') {
      this.#end(message.source);
    } else if (message.type === 'current') {
      this.#resolveReady();
    } else if (message.type === 'clock') {
      this.#sources.get(message.source)?.onSenderReport(message.encoding, message.report, performance.now());
    }
  }

  #endAll(): void {
    for (const number of this.#sources.keys()) this.#end(number);
  }

  #end(number: number): void {
    const source = this.#sources.get(number);
    this.#sources.delete(number);
    if (source) this.#handle.router.removeSource(source, performance.now());
  }
}
