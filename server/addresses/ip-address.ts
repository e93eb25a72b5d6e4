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
  return ipaddr.process(text).toString();
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
