import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { RouterHandle } from '../worker/sfu.js';
import { RelayedStream } from './relayed-stream.js';
import { StreamRelay } from './stream-relay.js';

type Hold = (stream: string) => RouterHandle;

/**
 * A process's part in streams that several of them carry: it sends those whose publishers it has to whoever follows
 * them, and brings those that it follows. Media goes from process to process, over a local socket for each stream.
 */
export class Relay {
  readonly #hold: Hold;
  readonly #server: Server;
  readonly #relays = new Set<StreamRelay>();
  readonly #followed = new Map<string, RelayedStream>();

  /** @param path of a Unix socket in a folder that is nobody else's, or of a named pipe that nobody can guess */
  static async open(path: string, hold: Hold): Promise<Relay> {
    const relay = new Relay(hold);
    relay.#server.listen(path);
    await once(relay.#server, 'listening');
    return relay;
  }

  private constructor(hold: Hold) {
    this.#hold = hold;
    this.#server = createServer((socket) => {
      const relay = new StreamRelay(socket, hold);
      this.#relays.add(relay);
      socket.on('close', () => this.#relays.delete(relay));
    });
  }

  /** @param home where the process of its publishers listens; undefined: it is not followed any more */
  follow(stream: string, home: string | undefined): void {
    const followed = this.#followed.get(stream);
    if (followed?.path === home) return;
    // Held anew before it is let go of: those who watch go on with the same one.
    if (home === undefined) this.#followed.delete(stream);
    else this.#followed.set(stream, new RelayedStream(stream, home, this.#hold(stream)));
    followed?.close();
  }

  /** Done when it is known what there is of a stream that is followed. */
  async whenReady(stream: string): Promise<void> {
    await this.#followed.get(stream)?.ready;
  }

  async close(): Promise<void> {
    for (const followed of this.#followed.values()) followed.close();
    this.#followed.clear();
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const relay of this.#relays) relay.close();
    await closed;
  }
}
