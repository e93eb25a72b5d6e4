import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress } from './addresses/ip-address.js';
import { FairPlaces } from './addresses/fair-places.js';
import { contain } from './faults/contain.js';

/** Each takes some 20 kB and a file descriptor. */
const MOST_WAITING = 5_000;
/** Each takes some 50 kB, if its client reads nothing of the answers. */
const MOST_ANSWERED = 10_000;

/**
 * Limits the connections of an HTTP server that wait for a request, or for the rest of one, and those that have not
 * taken their answer: when there are too many, the network that has the most loses its oldest. So nobody keeps others
 * out by connections that send or read little or nothing.
 */
export class WaitingConnections {
  readonly #waiting: FairPlaces<string>;
  readonly #answered: FairPlaces<string>;
  /** By the peer, because a request over TLS has another socket than the one that was accepted. */
  readonly #sockets = new Map<string, Socket>();

  constructor(mostWaiting = MOST_WAITING, mostAnswered = MOST_ANSWERED) {
    this.#waiting = new FairPlaces(mostWaiting);
    this.#answered = new FairPlaces(mostAnswered);
  }

  follow(server: Server): void {
    server.on(
      'connection',
      contain('http', (socket: Socket) => {
        const peer = peerOf(socket);
        this.#sockets.set(peer, socket);
        socket.once(
          'close',
          contain('http', () => {
            // The peer may have connected again already.
            if (this.#sockets.get(peer) !== socket) return;
            this.#sockets.delete(peer);
            this.#waiting.release(peer);
            this.#answered.release(peer);
          }),
        );
        this.#place(this.#waiting, peer);
      }),
    );
    server.on(
      'request',
      contain('http', (request: IncomingMessage, response: ServerResponse) => {
        if (request.socket.destroyed) return;
        const peer = peerOf(request.socket);
        if (hasBody(request)) request.once('end', () => this.#waiting.release(peer));
        else this.#waiting.release(peer);
        this.#place(this.#answered, peer);
        response.once(
          'close',
          contain('http', () => {
            this.#answered.release(peer);
            this.#place(this.#waiting, peer);
          }),
        );
      }),
    );
    server.on(
      'upgrade',
      contain('http', (request: IncomingMessage) => this.#waiting.release(peerOf(request.socket))),
    );
  }

  #place(places: FairPlaces<string>, peer: string): void {
    const socket = this.#sockets.get(peer);
    if (!socket || socket.destroyed) return;
    const address = canonicalAddress((socket.remoteAddress ?? '').replace(/%.*$/, '')) ?? '';
    const loser = places.take(address, peer);
    if (loser !== undefined) this.#sockets.get(loser)?.destroy();
  }
}

function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localPort}`;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
