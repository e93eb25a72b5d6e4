import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Stands for a load balancer: an address whose calls go to one server, and from some moment on to another. */
export class Switch {
  readonly origin: string;
  #target: string;
  #calls = 0;
  readonly #server: Server;

  static async open(target: string): Promise<Switch> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Switch(server, target);
  }

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (req, res) => {
      this.#calls += 1;
      const { method, headers } = req;
      const passed = request(new URL(req.url ?? '/', this.#target), { method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      passed.on('error', () => res.writeHead(502).end());
      req.pipe(passed);
    });
  }

  /** The calls that the present server has got. */
  get calls(): number {
    return this.#calls;
  }

  /** @param target the origin of the server that gets all calls from now on */
  turnTo(target: string): void {
    this.#target = target;
    this.#calls = 0;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
