import type { IncomingMessage } from 'node:http';

/**
 * The address a request came from: its socket's. IPv4 arrives as itself where the socket listens on both families.
 * Empty when the socket is gone already.
 */
export function clientAddress(req: IncomingMessage): string {
  return (req.socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
