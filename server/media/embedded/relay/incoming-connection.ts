import type { Socket } from 'node:net';
import { AddedStream } from './added-stream.js';
import { RelayConnection } from './relay-connection.js';
import type { RelayMessage } from './relay-frames.js';
import type { RelayHost } from './relay-host.js';
import type { IncomingRole } from './relay-link.js';
import { StreamRelay } from './stream-relay.js';

/** The first message comes within this time. */
const FIRST_MESSAGE_TIMEOUT_MS = 5_000;
/** A recorder keeps what it gets: fewer writes of this process leave more of its time to viewers. */
const TAP_GATHER_MS = 40;

/** A connection that another process opened: to follow a stream, or to add a source to it. */
export class IncomingConnection {
  readonly #host: RelayHost;
  readonly #socket: Socket;
  readonly #connection: RelayConnection;
  readonly #timer: NodeJS.Timeout;
  #role: IncomingRole | undefined;

  constructor(socket: Socket, host: RelayHost) {
    this.#host = host;
    this.#socket = socket;
    this.#connection = new RelayConnection(socket, {
      onMessage: (message) => (this.#role ? this.#role.onMessage(message) : this.#begin(message)),
      onPacket: (...packet) => this.#role?.onPacket(...packet),
      onDrain: () => this.#role?.onDrain(),
      onClosed: () => this.close(),
    });
    this.#timer = setTimeout(() => socket.destroy(), FIRST_MESSAGE_TIMEOUT_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#connection.close();
    this.#role?.close();
    this.#role = undefined;
  }

  #begin(message: RelayMessage): void {
    clearTimeout(this.#timer);
    switch (message.type) {
      case 'follow':
        this.#role = new StreamRelay(this.#connection, this.#host.acquireRouter(message.stream), message);
        if (message.isTap) this.#connection.gather(TAP_GATHER_MS);
        break;
      case 'add':
        this.#role = new AddedStream(this.#connection, message, this.#host);
        break;
      default:
        this.#socket.destroy();
    }
  }
}
