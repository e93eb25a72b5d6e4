import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { reportFault } from '../../../faults/fault.js';
import { IncomingConnection } from './incoming-connection.js';
import type { RelayHost } from './relay-host.js';
import { RelayedStream } from './relayed-stream.js';

/**
 * A worker's part in streams that several processes carry, over one local socket for each stream and process. It sends
 * the streams of its publishers to the workers that follow them, receives the streams that it follows, and receives
 * the sources that the server adds.
 */
export class Relay {
  readonly #host: RelayHost;
  readonly #server: Server;
  readonly #incoming = new Set<IncomingConnection>();
  /** Streams that are received, by stream. */
  readonly #following = new Map<string, RelayedStream>();

  /** @param path of a Unix socket in a private directory, or of a named pipe that cannot be guessed */
  static async open(path: string, host: RelayHost): Promise<Relay> {
    const relay = new Relay(host);
    relay.#server.listen(path);
    await once(relay.#server, 'listening');
    // Such as EMFILE: the next connection may be accepted again.
    relay.#server.on('error', (error) => reportFault('media', error));
    return relay;
  }

  private constructor(host: RelayHost) {
    this.#host = host;
    this.#server = createServer((socket) => {
      const connection = new IncomingConnection(socket, host);
      this.#incoming.add(connection);
      socket.on('close', () => this.#incoming.delete(connection));
    });
  }

  /** @param home where the worker of the stream's publishers listens; undefined: stops following the stream */
  follow(stream: string, home: string | undefined): void {
    const before = this.#following.get(stream);
    if (before?.path === home) return;
    // Acquire the router again before it is released, so that its viewers keep the same router.
    if (home === undefined) this.#following.delete(stream);
    else this.#following.set(stream, new RelayedStream(stream, home, this.#host));
    before?.close();
  }

  /** Resolves when the sources of a stream that is followed are known. */
  async whenReady(stream: string): Promise<void> {
    await this.#following.get(stream)?.ready;
  }

  async close(): Promise<void> {
    for (const stream of this.#following.values()) stream.close();
    this.#following.clear();
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const connection of this.#incoming) connection.close();
    await closed;
  }
}
