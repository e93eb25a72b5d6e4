import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of a server that records requests, and delays websockets until `letThrough` is called. */
export class Gatekeeper {
  /** Method and path of each request, without websockets. */
  readonly passed: string[] = [];
  readonly #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  #isOpen = false;

  static async before(origin: string): Promise<Gatekeeper> {
    const keeper = new Gatekeeper(origin);
    await new Promise<void>((resolve) => keeper.#server.listen(0, '127.0.0.1', resolve));
    return keeper;
  }

  private constructor(origin: string) {
    this.#target = new URL(origin);
    const { hostname: host, port } = this.#target;
    this.#server = createServer((req, res) => {
      const { method, url: path, headers } = req;
      this.passed.push(`${method} ${path}`);
      const onward = request({ host, port, method, path, headers }, (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      });
      onward.on('error', () => res.destroy());
      req.pipe(onward);
    });
    this.#server.on('connection', (socket) => this.#note(socket));
    this.#server.on('upgrade', (req, socket: Socket) => {
      const pass = () => this.#pass(req, socket);
      if (this.#isOpen) pass();
      else this.#waiting.push(pass);
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of delayed websockets. */
  get waiting(): number {
    return this.#waiting.length;
  }

  letThrough(): void {
    this.#isOpen = true;
    for (const pass of this.#waiting.splice(0)) pass();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass({ method, url, rawHeaders }: IncomingMessage, socket: Socket): void {
    const onward = connect(Number(this.#target.port), this.#target.hostname);
    this.#note(onward);
    const headers = rawHeaders.map((part, index) => part + (index % 2 ? '\r\n' : ': '));
    onward.write(`${method} ${url} HTTP/1.1\r\n${headers.join('')}\r\n`);
    onward.pipe(socket).pipe(onward);
  }

  #note(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
