import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { RouterHandle } from '../stream/router-registry.js';
import { RelayedStream } from './relayed-stream.js';
import { StreamRelay } from './stream-relay.js';

type AcquireRouter = (stream: string) => RouterHandle;

/**
 * A worker's part in streams that several workers carry. It sends the streams of its publishers to the workers that
 * follow them, and receives the streams that it follows, over one local socket for each stream and follower.
 */
export class Relay {
  readonly #acquireRouter: AcquireRouter;
  readonly #server: Server;
  /** Streams that are sent. */
  readonly #sending = new Set<StreamRelay>();
  /** Streams that are received, by stream. */
  readonly #following = new Map<string, RelayedStream>();

  /** @param path of a Unix socket in a private directory, or of a named pipe that cannot be guessed */
  static async open(path: string, acquireRouter: AcquireRouter): Promise<Relay> {
    const relay = new Relay(acquireRouter);
    relay.#server.listen(path);
    await once(relay.#server, 'listening');
    return relay;
  }

  private constructor(acquireRouter: AcquireRouter) {
    this.#acquireRouter = acquireRouter;
    this.#server = createServer((socket) => {
      const relay = new StreamRelay(socket, acquireRouter);
      this.#sending.add(relay);
      socket.on('close', () => this.#sending.delete(relay));
    });
  }

  /** @param home where the worker of the stream's publishers listens; undefined: stops following the stream */
  follow(stream: string, home: string | undefined): void {
    const before = this.#following.get(stream);
    if (before?.path === home) return;
    // Acquire the router again before it is released, so that its viewers keep the same router.
    if (home === undefined) this.#following.delete(stream);
    else this.#following.set(stream, new RelayedStream(stream, home, this.#acquireRouter(stream)));
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
    for (const relay of this.#sending) relay.close();
    await closed;
  }
}
