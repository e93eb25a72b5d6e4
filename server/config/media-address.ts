import { canonicalAddress } from '../addresses/ip-address.js';
import type { Variables } from './environment-schema.js';

/** MEDIA_HOST, or else HOST. Undefined: all addresses. */
export function mediaHost({ MEDIA_HOST, HOST }: Variables): string | undefined {
  const host = MEDIA_HOST ?? addressOf(HOST);
  return host === undefined || isEveryAddress(host) ? undefined : host;
}

/** MEDIA_TCP_PORT, or else the UDP port, so that one firewall rule fits both. */
export function mediaTcpPort(read: Pick<Variables, 'MEDIA_TCP_PORT' | 'MEDIA_UDP_PORT'>): number | undefined {
  const { MEDIA_TCP_PORT: port = read.MEDIA_UDP_PORT } = read;
  return port === 'off' ? undefined : port;
}

/** The address of a host. Undefined: the host is a name other than localhost. */
export function addressOf(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  return host === 'localhost' ? '127.0.0.1' : canonicalAddress(host);
}

export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
