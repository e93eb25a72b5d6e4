import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Cleanup } from './cleanup.js';

/**
 * An address that leads to a server, as a DNS name or a load balancer does in front of a database. A test makes it slow,
 * cuts it, or leads it elsewhere.
 */
export class TcpGate {
  /** How long what the server sends is on its way, in ms. */
  delayMs = 0;
  /** After a client has sent this, it receives nothing more. */
  silentAfter: string | undefined;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #target: URL;
  #isOpen = true;

  /** @param target a URL with the address of the server */
  static async open(cleanup: Cleanup, target: string, port = 0): Promise<TcpGate> {
    const gate = new TcpGate(target);
    gate.#server.listen(port, '127.0.0.1');
    await once(gate.#server, 'listening');
    cleanup.after(() => {
      gate.close();
      gate.#server.close();
    });
    return gate;
  }

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((client) => this.#connected(client));
  }

  /** The number of connections of clients. */
  get clients(): number {
    return this.#open.size / 2;
  }

  /** The same URL, with the address of the gate. */
  urlOf(target: string): string {
    const url = new URL(target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** New connections lead to this server. Open ones stay where they are. */
  leadTo(target: string): void {
    this.#target = new URL(target);
    this.#isOpen = true;
  }

  /** Ends all connections, and accepts none until `leadTo`. */
  close(): void {
    this.#isOpen = false;
    for (const socket of this.#open) socket.destroy();
  }

  #connected(client: Socket): void {
    if (!this.#isOpen) return void client.destroy();
    const server = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          this.#open.delete(one);
          other.destroy();
        });
    }
    let isSilent = false;
    client.on('data', (data) => {
      isSilent ||= this.silentAfter !== undefined && data.includes(this.silentAfter);
      server.write(data);
    });
    server.on('data', (data) => {
      if (isSilent) return;
      if (this.delayMs === 0) client.write(data);
      else setTimeout(() => client.write(data), this.delayMs);
    });
  }
}
