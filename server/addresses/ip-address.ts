import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv6 network that one household or one machine gets. Addresses inside it change within hours. */
const BINDING_PREFIX = 64;

/**
 * The canonical text of an IP address: IPv4 for an IPv4-mapped IPv6 address, else RFC 5952. Undefined for text that is
 * no address, for ambiguous forms of IPv4 (`127.1`, `010.0.0.1`, `0x7f.1`), and for an address with a zone.
 */
export function canonicalAddress(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0 || text.includes('%')) return undefined;
  return ipaddr.process(withoutDots(text)).toString();
}

/**
 * The last 32 bits of IPv6 as two groups. ipaddr.js reads `::203.0.113.7`, which is IPv4-compatible, as if it were
 * IPv4-mapped, and throws for other addresses that have dots.
 */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const bytes = text.slice(start).split('.').map(Number);
  if (bytes.length !== 4) return text;
  const [a, b, c, d] = bytes as [number, number, number, number];
  return `${text.slice(0, start)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/**
 * The network that counts as one client: an IPv4 address itself, the /64 of an IPv6 address as `2001:db8:1:2::/64`.
 * Text that is no address is returned unchanged.
 * @param address in canonical form
 */
export function bindingAddress(address: string): string {
  return isIP(address) === 6 ? networkOf(address, BINDING_PREFIX) : address;
}

/** @returns the network of the address in CIDR notation */
export function networkOf(address: string, prefix: number): string {
  const family = isIP(address) === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address}/${prefix}`).toString()}/${prefix}`;
}
