import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ConnectionLimits } from './connection-limits.js';
import { reportFault } from './faults/fault.js';
import { after } from './faults/timers.js';
import { ListenError } from './listen-error.js';
import type { CertificateFollower } from './tls/certificate-follower.js';

/** How long open requests may take when the server stops. */
const CLOSE_WITHIN_MS = 1_000;

export interface ListenOptions {
  /** Undefined: all addresses. */
  readonly host: string | undefined;
  readonly port: number;
  readonly app: RequestListener;
  /** Undefined: HTTP without TLS. */
  readonly certificates: CertificateFollower | undefined;
  /** Serves the websocket upgrades. */
  readonly signalling: { attach(server: Server, options: { readonly isAlone: true }): void };
}

/** The HTTP or HTTPS server that Streamgate listens with when it is not mounted in another app. */
export class HttpListener {
  #server: Server | undefined;
  #closed: Promise<void> | undefined;
  /** The server waits for them when it closes, and does not close them. */
  readonly #upgraded = new Set<Duplex>();

  /** Undefined: the server does not listen. */
  get port(): number | undefined {
    const address = this.#server?.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  /** @returns the address that the server listens on */
  async listen({ host, port, app, certificates, signalling }: ListenOptions): Promise<AddressInfo> {
    const server = certificates ? tlsServer(certificates) : createServer();
    signalling.attach(server, { isAlone: true });
    server.on('upgrade', (_request, socket) => {
      this.#upgraded.add(socket);
      socket.once('close', () => this.#upgraded.delete(socket));
    });
    new ConnectionLimits().serve(server, app);
    server.listen(port, host);
    await once(server, 'listening').catch((cause: unknown) => {
      throw new ListenError('PORT', port, cause);
    });
    // Such as EMFILE: the next connection may be accepted again.
    server.on('error', (error) => reportFault('http', error));
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
    const forceCloseTimer = after('http', CLOSE_WITHIN_MS, () => {
      server.closeAllConnections();
      for (const socket of this.#upgraded) socket.destroy();
    });
    await closed;
    clearTimeout(forceCloseTimer);
  }
}

/** Existing connections keep their certificate. New ones get the newest. */
function tlsServer(certificates: CertificateFollower): TlsServer {
  const optionsOf = ({ cert, key }: { readonly cert: string; readonly key: string }) =>
    ({ cert, key, minVersion: 'TLSv1.2' }) as const;
  const server = createTlsServer(optionsOf(certificates.certificate));
  certificates.follow((certificate) => server.setSecureContext(optionsOf(certificate)));
  return server;
}
