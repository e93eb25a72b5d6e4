import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long open requests may take when the server stops. */
const CLOSE_WITHIN_MS = 1_000;

export interface ListenOptions {
  /** Undefined: all addresses. */
  readonly host: string | undefined;
  readonly port: number;
  readonly app: RequestListener;
  /** Serves the websocket upgrades. */
  readonly signalling: { attach(server: Server): void };
}

/** The HTTP server that Streamgate listens with when it is not mounted in another app. */
export class HttpListener {
  #server: Server | undefined;
  #closed: Promise<void> | undefined;

  /** @returns the address that the server listens on */
  async listen({ host, port, app, signalling }: ListenOptions): Promise<AddressInfo> {
    const server = createServer(app);
    signalling.attach(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    this.#server = server;
    return server.address() as AddressInfo;
  }

  /** Accepts no connection from now on. Resolves when every open connection is closed. */
  close(): Promise<void> {
    return (this.#closed ??= this.#closeServer());
  }

  async #closeServer(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const forceCloseTimer = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
    await closed;
    clearTimeout(forceCloseTimer);
  }
}
