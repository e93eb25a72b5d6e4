import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * A relay to a TCP port of the loopback address that delays data by `delayMs` in both directions. A new connection also
 * takes the round trip of its handshake. The relay has no loss and no limit of bandwidth.
 */
export class DelayedTcp {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async open(target: number, delayMs: number): Promise<DelayedTcp> {
    const server = createServer().listen(0, LOOPBACK);
    await once(server, 'listening');
    return new DelayedTcp(server, target, delayMs);
  }

  private constructor(server: Server, target: number, delayMs: number) {
    this.#server = server;
    server.on('connection', (client) => {
      const upstream = connect(target, LOOPBACK);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket.setNoDelay());
        socket.on('close', () => this.#sockets.delete(socket));
        socket.on('error', () => socket.destroy());
      }
      carry(client, upstream, delayMs, performance.now() + 2 * delayMs);
      carry(upstream, client, delayMs, 0);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** @param from the earliest time at which the first byte is sent, on the clock of `performance` */
function carry(source: Socket, target: Socket, delayMs: number, from: number): void {
  const inTransit: { readonly arrival: number; readonly arrive: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const deliver = (): void => {
    // Half a millisecond early, because timers are late.
    const now = performance.now() + 0.5;
    while (inTransit[0] && inTransit[0].arrival <= now) inTransit.shift()!.arrive();
    const next = inTransit[0];
    timer = next && setTimeout(deliver, next.arrival - now);
  };
  const delay = (arrive: () => void): void => {
    inTransit.push({ arrival: Math.max(performance.now(), from) + delayMs, arrive });
    if (!timer) deliver();
  };
  source.on('data', (chunk) => delay(() => void target.write(chunk)));
  source.on('end', () => delay(() => void target.end()));
  source.on('close', () => delay(() => void target.destroySoon()));
}
