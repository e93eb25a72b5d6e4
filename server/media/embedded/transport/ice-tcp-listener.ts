import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { reportFault } from '../../../faults/fault.js';
import { FairPlaces } from '../../../addresses/fair-places.js';
import { canonicalAddress } from '../../../addresses/ip-address.js';
import { ICE_TCP_CONNECTION_LIMITS, IceTcpConnection, type IceTcpConnectionLimits } from './ice-tcp-connection.js';

export interface IceTcpListenerOptions {
  /** Also the address of the UDP port. Absent: all interfaces. */
  readonly bindAddress?: string | undefined;
  /** 0: any free port. */
  readonly tcpPort: number;
  /** Where packets are forwarded to. */
  readonly udpPort: number;
  readonly limits?: Partial<IceTcpLimits>;
}

export interface IceTcpLimits extends IceTcpConnectionLimits {
  readonly connections: number;
  readonly waiting: number;
}

/** Each connection uses two sockets. Connections beyond the limit are closed at once. */
const MAX_CONNECTIONS = 1_500;
/**
 * The most connections that the engine has not answered: it answers sessions only. With one more, the network that has
 * the most loses its oldest.
 */
const MOST_WAITING = 500;

/**
 * ICE over TCP (RFC 6544) for peers whose network blocks UDP. The peer opens the connection: libjuice, which does ICE
 * for libdatachannel, supports only active TCP candidates. Packets are forwarded to the engine's UDP port one by one.
 */
export class IceTcpListener {
  readonly port: number;
  readonly #server: Server;
  readonly #connections: ReadonlySet<IceTcpConnection>;

  /** @throws {Error} if the port cannot be used, with the reason */
  static async open({ bindAddress, tcpPort, udpPort, limits }: IceTcpListenerOptions): Promise<IceTcpListener> {
    const engine = { address: bindAddress ?? '127.0.0.1', port: udpPort };
    const connections = new Set<IceTcpConnection>();
    const waiting = new FairPlaces<IceTcpConnection>(limits?.waiting ?? MOST_WAITING);
    const server = createServer((socket) => {
      const ownLimits = { ...ICE_TCP_CONNECTION_LIMITS, ...limits };
      const connection = new IceTcpConnection(socket, engine, ownLimits, () => waiting.release(connection));
      connections.add(connection);
      socket.on('close', () => {
        connections.delete(connection);
        waiting.release(connection);
      });
      waiting.take(canonicalAddress(socket.remoteAddress ?? '') ?? '', connection)?.close();
    });
    server.maxConnections = limits?.connections ?? MAX_CONNECTIONS;
    try {
      server.listen({ port: tcpPort, ...(bindAddress === undefined ? {} : { host: bindAddress }) });
      await once(server, 'listening');
      // Such as EMFILE: the next connection may be accepted again.
      server.on('error', (error) => reportFault('media', error));
      return new IceTcpListener(server, connections);
    } catch (cause) {
      const isInUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
      const reason = isInUse ? 'the port is in use' : (cause as Error).message;
      const where = `${bindAddress ?? 'all addresses'}, TCP port ${tcpPort}`;
      throw new Error(`cannot listen for media on ${where}: ${reason}`, { cause });
    }
  }

  private constructor(server: Server, connections: ReadonlySet<IceTcpConnection>) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#connections = connections;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const connection of this.#connections) connection.close();
    await closed;
  }
}
