import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Passes connections on to a port of the loopback address, until a test breaks them. */
export class BreakableProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** @param target the port */
  static async open(target: number): Promise<BreakableProxy> {
    const proxy = new BreakableProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(target: number) {
    this.#server = createServer((socket) => {
      const onward = connect(target, '127.0.0.1');
      const end = (): void => {
        this.#sockets.delete(socket);
        socket.destroy();
        onward.destroy();
      };
      for (const each of [socket, onward]) each.on('error', end).on('close', end);
      this.#sockets.add(socket);
      socket.pipe(onward).pipe(socket);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Breaks every connection. New ones are accepted. */
  break(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  close(): void {
    this.break();
    this.#server.close();
  }
}
