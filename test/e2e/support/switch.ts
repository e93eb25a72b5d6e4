import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Stands for a load balancer: an address whose calls go to one server, and from some moment on to another. */
export class Switch {
  readonly origin: string;
  /** The origin of the server. */
  target: string;
  readonly #server: Server;

  static async open(target: string): Promise<Switch> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Switch(server, target);
  }

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.target = target;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (req, res) => {
      const { method, headers } = req;
      const passed = request(new URL(req.url ?? '/', this.target), { method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      passed.on('error', () => res.writeHead(502).end());
      req.pipe(passed);
    });
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
