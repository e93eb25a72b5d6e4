import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { reportFault } from '../../../faults/fault.js';
import { canonicalAddress } from '../../../addresses/ip-address.js';
import { ICE_TCP_CONNECTION_LIMITS, IceTcpConnection, type IceTcpConnectionLimits } from './ice-tcp-connection.js';
import { IceTcpPlaces, type IceTcpPlaceLimits } from './ice-tcp-places.js';

export interface IceTcpListenerOptions {
  /** Also the address of the UDP port. Absent: all interfaces. */
  readonly bindAddress?: string | undefined;
  /** 0: any free port. */
  readonly tcpPort: number;
  /** Where packets are forwarded to. */
  readonly udpPort: number;
  readonly limits?: Partial<IceTcpLimits>;
}

export type IceTcpLimits = IceTcpConnectionLimits & IceTcpPlaceLimits;

/** Each connection uses two sockets. A browser opens one from each of its addresses. */
const LIMITS: IceTcpLimits = { ...ICE_TCP_CONNECTION_LIMITS, answered: 1_000, ofSession: 8, waiting: 500 };

/**
 * ICE over TCP (RFC 6544) for peers whose network blocks UDP. The peer opens the connection: libjuice, which does ICE
 * for libdatachannel, supports only active TCP candidates. Packets are forwarded to the engine's UDP port one by one.
 */
export class IceTcpListener {
  readonly port: number;
  readonly #server: Server;
  readonly #places: IceTcpPlaces;

  /** @throws {Error} if the port cannot be used, with the reason */
  static async open({ bindAddress, tcpPort, udpPort, limits }: IceTcpListenerOptions): Promise<IceTcpListener> {
    const engine = { address: bindAddress ?? '127.0.0.1', port: udpPort };
    const places = new IceTcpPlaces({ ...LIMITS, ...limits });
    const server = createServer((socket) => {
      const address = canonicalAddress(socket.remoteAddress ?? '') ?? '';
      const connection = new IceTcpConnection(socket, engine, { ...LIMITS, ...limits }, (session) =>
        places.answered(connection, address, session),
      );
      socket.on('close', () => places.release(connection));
      places.accepted(connection, address);
    });
    try {
      server.listen({ port: tcpPort, ...(bindAddress === undefined ? {} : { host: bindAddress }) });
      await once(server, 'listening');
      // Such as EMFILE: the next connection may be accepted again.
      server.on('error', (error) => reportFault('media', error));
      return new IceTcpListener(server, places);
    } catch (cause) {
      const isInUse = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
      const reason = isInUse ? 'the port is in use; set MEDIA_TCP_PORT to another one' : (cause as Error).message;
      const where = `${bindAddress ?? 'all addresses'}, TCP port ${tcpPort}`;
      throw new Error(`cannot listen for media on ${where}: ${reason}`, { cause });
    }
  }

  private constructor(server: Server, places: IceTcpPlaces) {
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#places = places;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#places.close();
    await closed;
  }
}
