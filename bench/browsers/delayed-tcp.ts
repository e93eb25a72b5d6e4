import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const LOOPBACK = '127.0.0.1';

/**
 * A way of some length to a TCP port on the loopback address. What is sent arrives after `delayMs`, in both directions,
 * and a new connection first takes the round trip of its handshake. Nothing is lost, and no link is narrow.
 */
export class FarTcp {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async open(target: number, delayMs: number): Promise<FarTcp> {
    const server = createServer().listen(0, LOOPBACK);
    await once(server, 'listening');
    return new FarTcp(server, target, delayMs);
  }

  private constructor(server: Server, target: number, delayMs: number) {
    this.#server = server;
    server.on('connection', (near) => {
      const far = connect(target, LOOPBACK);
      for (const socket of [near, far]) {
        this.#sockets.add(socket.setNoDelay());
        socket.on('close', () => this.#sockets.delete(socket));
        socket.on('error', () => socket.destroy());
      }
      carry(near, far, delayMs, performance.now() + 2 * delayMs);
      carry(far, near, delayMs, 0);
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

/** @param from when the first byte can leave, on the clock of `performance` */
function carry(source: Socket, target: Socket, delayMs: number, from: number): void {
  const underWay: { readonly arrival: number; readonly arrive: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const deliver = (): void => {
    // Half a millisecond early: timers are late anyway.
    const now = performance.now() + 0.5;
    while (underWay[0] && underWay[0].arrival <= now) underWay.shift()!.arrive();
    const next = underWay[0];
    timer = next && setTimeout(deliver, next.arrival - now);
  };
  const pass = (arrive: () => void): void => {
    underWay.push({ arrival: Math.max(performance.now(), from) + delayMs, arrive });
    if (!timer) deliver();
  };
  source.on('data', (chunk) => pass(() => void target.write(chunk)));
  source.on('end', () => pass(() => void target.end()));
  source.on('close', () => pass(() => void target.destroySoon()));
}
