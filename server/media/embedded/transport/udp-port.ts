import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * Makes sure that nobody else has the port, and finds a free one for 0. libdatachannel itself would only say so in
 * its log, and not before the first peer comes.
 * @throws {Error} whose message says what is the matter with the port or the address
 */
export async function availableUdpPort(bindAddress: string | undefined, port: number): Promise<number> {
  const tries = bindAddress === undefined ? (['udp6', 'udp4'] as const) : [familyOf(bindAddress)];
  for (const family of tries) {
    const socket = createSocket(family);
    try {
      socket.bind({ port, ...(bindAddress === undefined ? {} : { address: bindAddress }), exclusive: true });
      await once(socket, 'listening');
      return socket.address().port;
    } catch (cause) {
      // A machine without IPv6 says so, and listens on IPv4 alone.
      if (family === 'udp6' && bindAddress === undefined && !isInUse(cause)) continue;
      const where = `${bindAddress ?? 'all addresses'}, UDP port ${port}`;
      const why = isInUse(cause) ? 'the port is in use' : (cause as Error).message;
      throw new Error(`cannot listen for media on ${where}: ${why}`, { cause });
    } finally {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    }
  }
  throw new Error(`cannot listen for media on UDP port ${port}`);
}

const familyOf = (address: string) => (address.includes(':') ? ('udp6' as const) : ('udp4' as const));
const isInUse = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
