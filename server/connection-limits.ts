import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress } from './addresses/ip-address.js';
import { FairPlaces } from './addresses/fair-places.js';
import { contain } from './faults/contain.js';
import { every } from './faults/timers.js';

export interface ConnectionLimitOptions {
  /** How many connections may wait for a request, or for the rest of one. Each takes some 20 kB and a file descriptor. */
  readonly mostWaiting?: number;
  /** How many may have an answer that the peer does not read. Each takes some 150 kB. */
  readonly mostUnread?: number;
}

const MOST_WAITING = 5_000;
const MOST_UNREAD = 1_000;
/** Browsers and proxies wait for an answer before they send the next request. A few programs do not. */
const MOST_UNANSWERED = 4;
const LOOK_EVERY_MS = 1_000;

/** One connection of an HTTP server. */
interface Connection {
  readonly peer: string;
  /** The socket that was accepted. */
  readonly socket: Socket;
  /** What requests are read from: another one than `socket` over TLS. */
  stream: Socket;
  /** Requests that are not answered completely. */
  unanswered: number;
  /** The newest request, until it is answered and has come completely. */
  request: IncomingMessage | undefined;
  /** Called when a request is answered: one function for all requests of the connection. */
  readonly answered: () => void;
  /** How many bytes of answers the system had taken at the last look. */
  taken: number;
}

/**
 * Limits what the peers of an HTTP server can keep by doing nothing: connections that wait for a request or for the rest
 * of one, and answers that are not read. When there are too many of a kind, the network that has the most loses its oldest,
 * so that nobody keeps others out. A connection with too many requests at once is closed.
 */
export class ConnectionLimits {
  readonly #waiting: FairPlaces<string>;
  readonly #unread: FairPlaces<string>;
  /** By the peer, because a request over TLS has another socket than the one that was accepted. */
  readonly #connections = new Map<string, Connection>();
  /** By what requests are read from. */
  readonly #byStream = new WeakMap<Socket, Connection>();

  constructor({ mostWaiting = placesFor(descriptorLimit()), mostUnread = MOST_UNREAD }: ConnectionLimitOptions = {}) {
    this.#waiting = new FairPlaces(mostWaiting);
    this.#unread = new FairPlaces(mostUnread);
  }

  /** Serves the requests that the limits permit. Call it once, for a server without a listener of requests. */
  serve(server: Server, app: RequestListener): void {
    server.on(
      'connection',
      contain('http', (socket: Socket) => this.#open(socket)),
    );
    server.on(
      'request',
      contain('http', (request: IncomingMessage, response: ServerResponse) => {
        if (this.#begin(request, response)) app(request, response);
      }),
    );
    server.on(
      'upgrade',
      // A websocket has limits of its own.
      contain('http', (request: IncomingMessage) => this.#forget(peerOf(request.socket))),
    );
    const looking = every('http', LOOK_EVERY_MS, () => this.look()).unref();
    server.once('close', () => clearInterval(looking));
  }

  /** Looks whose answers have not been read since the last look. */
  look(): void {
    for (const [peer, connection] of this.#connections) {
      const { bytesWritten, writableLength } = connection.stream;
      // Of a stream over TLS, the socket ends first.
      if (connection.socket.destroyed || connection.stream.destroyed) continue;
      const taken = bytesWritten - writableLength;
      if (writableLength === 0 || taken !== connection.taken) this.#unread.release(peer);
      else if (!this.#unread.has(peer)) this.#end(this.#unread.take(addressOf(connection.socket), peer));
      connection.taken = taken;
    }
  }

  #open(socket: Socket): void {
    const peer = peerOf(socket);
    const answered = contain('http', () => {
      connection.unanswered -= 1;
      if (connection.request?.complete) connection.request = undefined;
      this.#wait(connection);
    });
    const connection: Connection = {
      peer,
      socket,
      stream: socket,
      unanswered: 0,
      request: undefined,
      answered,
      taken: 0,
    };
    this.#connections.set(peer, connection);
    socket.once(
      'close',
      contain('http', () => {
        // The peer may have connected again already.
        if (this.#connections.get(peer)?.socket === socket) this.#forget(peer);
      }),
    );
    this.#wait(connection);
  }

  #forget(peer: string): void {
    this.#connections.delete(peer);
    this.#waiting.release(peer);
    this.#unread.release(peer);
  }

  /** @returns false: it must not be answered */
  #begin(request: IncomingMessage, response: ServerResponse): boolean {
    // One packet can have many requests, and they still arrive when their connection is closed.
    if (request.socket.destroyed) return false;
    const connection = this.#connectionOf(request.socket);
    if (!connection) return true;
    connection.unanswered += 1;
    if (connection.unanswered > MOST_UNANSWERED) {
      this.#endHasty(connection);
      return false;
    }
    const { answered } = connection;
    connection.request = request;
    response.on('close', answered);
    return true;
  }

  #connectionOf(stream: Socket): Connection | undefined {
    const known = this.#byStream.get(stream);
    if (known) return known;
    const connection = this.#connections.get(peerOf(stream));
    if (!connection) return undefined;
    connection.stream = stream;
    this.#byStream.set(stream, connection);
    return connection;
  }

  /**
   * Node.js parses all requests that it reads at once: 64 kB are 1,500 requests, and take 50 ms. So the connections of the
   * same address whose bytes may be next are closed before they are read.
   */
  #endHasty({ socket, stream }: Connection): void {
    stream.destroy();
    for (const peer of this.#waiting.holdersOf(addressOf(socket))) {
      const other = this.#connections.get(peer);
      if (other?.unanswered === 0 && other.socket.remoteAddress === socket.remoteAddress) other.socket.destroy();
    }
  }

  /**
   * Gives a connection a place. It keeps it while it is answered, because a place costs more than most answers; it is not
   * closed for another one then.
   */
  #wait({ peer, socket }: Connection): void {
    if (socket.destroyed || this.#waiting.has(peer)) return;
    const loser = this.#waiting.take(addressOf(socket), peer);
    const { unanswered = 0, request } = this.#connections.get(loser ?? '') ?? {};
    const isReading = request?.complete === false;
    if (unanswered === 0 || isReading) this.#end(loser);
  }

  #end(peer: string | undefined): void {
    if (peer !== undefined) this.#connections.get(peer)?.socket.destroy();
  }
}

/** Half of the descriptors are left for what is not a waiting connection. */
export function placesFor(descriptors: number, most = MOST_WAITING): number {
  return Math.max(1, Math.min(most, Math.floor(descriptors / 2)));
}

/** How many files and sockets this process may have open. Infinite where the system does not say. */
export function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(soft ?? Infinity);
  } catch {
    return Infinity;
  }
}

function addressOf(socket: Socket): string {
  return canonicalAddress((socket.remoteAddress ?? '').replace(/%.*$/, '')) ?? '';
}

function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}
