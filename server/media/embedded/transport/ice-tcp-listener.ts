import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ICE_TCP_CONNECTION_LIMITS, IceTcpConnection, type IceTcpConnectionLimits } from './ice-tcp-connection.js';

export interface IceTcpListenerOptions {
  /** Of the engine too. Absent: all interfaces. */
  readonly bindAddress?: string | undefined;
  /** 0: any free port. */
  readonly tcpPort: number;
  /** The engine's. */
  readonly udpPort: number;
  readonly limits?: Partial<IceTcpLimits>;
}

export interface IceTcpLimits extends IceTcpConnectionLimits {
  readonly connections: number;
}

/** Each costs two sockets. Who comes beyond it is cut at once. */
const MOST_CONNECTIONS = 1_000;

/**
 * The way in by TCP, for those whose network lets no UDP out: ICE over TCP (RFC 6544), where the peer calls and we are
 * called. libjuice, which the engine has its ICE from, can only call. What comes here is handed to the engine's UDP
 * port, packet by packet.
 */
export class IceTcpListener {
  readonly port: number;
  readonly #server: Server;
  readonly #passages: ReadonlySet<IceTcpConnection>;

  /** @throws {Error} when the port cannot be had, saying why */
  static async open({ bindAddress, tcpPort, udpPort, limits }: IceTcpListenerOptions): Promise<IceTcpListener> {
    const engine = { address: bindAddress ?? '127.0.0.1', port: udpPort };
    const passages = new Set<IceTcpConnection>();
    const server = createServer((socket) => {
      const passage = new IceTcpConnection(socket, engine, { ...ICE_TCP_CONNECTION_LIMITS, ...limits });
      passages.add(passage);
      socket.on('close', () => passages.delete(passage));
    });
    server.maxConnections = limits?.connections ?? MOST_CONNECTIONS;
    try {
      server.listen({ port: tcpPort, ...(bindAddress === undefined ? {} : { host: bindAddress }) });
      await once(server, 'listening');
      return new IceTcpListener(server, passages);
    } catch (cause) {
      const isInUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
      const why = isInUse ? 'the port is in use' : (cause as Error).message;
      const where = `${bindAddress ?? 'all addresses'}, TCP port ${tcpPort}`;
      throw new Error(`cannot listen for media on ${where}: ${why}`, { cause });
    }
  }

  private constructor(server: Server, passages: ReadonlySet<IceTcpConnection>) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#passages = passages;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const passage of this.#passages) passage.close();
    await closed;
  }
}
