import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * Checks that the port can be used, and finds a free one for 0. libdatachannel only logs a port that is in use, when
 * the first peer connects.
 * @throws {Error} with what is wrong with the port or the address
 */
export async function availableUdpPort(bindAddress: string | undefined, port: number): Promise<number> {
  const families = bindAddress === undefined ? (['udp6', 'udp4'] as const) : [familyOf(bindAddress)];
  for (const family of families) {
    const socket = createSocket(family);
    try {
      socket.bind({ port, ...(bindAddress === undefined ? {} : { address: bindAddress }), exclusive: true });
      await once(socket, 'listening');
      return socket.address().port;
    } catch (cause) {
      // A machine without IPv6 fails here, and uses IPv4 alone.
      if (family === 'udp6' && bindAddress === undefined && !isInUse(cause)) continue;
      const where = `${bindAddress ?? 'all addresses'}, UDP port ${port}`;
      const reason = isInUse(cause)
        ? 'the port is in use; set MEDIA_UDP_PORT to another one'
        : (cause as Error).message;
      throw new Error(`cannot listen for media on ${where}: ${reason}`, { cause });
    } finally {
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    }
  }
  throw new Error(`cannot listen for media on UDP port ${port}`);
}

const familyOf = (address: string) => (address.includes(':') ? ('udp6' as const) : ('udp4' as const));
const isInUse = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
