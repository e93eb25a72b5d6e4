import ipaddr from 'ipaddr.js';
import { canonicalAddress } from './ip-address.js';

/**
 * Whether an address belongs to a machine of the internet: not to this machine, its networks, a carrier's network, a
 * range for documents, or a range that reaches such an address through a gateway (NAT64, 6to4, Teredo). Of IPv6 it is in
 * 2000::/3, which is all that is in use (RFC 4291, 2.4): other ranges have IPv4 addresses in them, as `::127.0.0.1`.
 * @param text an address in any form: systems write ::/96 with dots
 */
export function isPublicAddress(text: string): boolean {
  const address = canonicalAddress(text);
  if (address === undefined) return false;
  const read = ipaddr.parse(address);
  if (read.range() !== 'unicast') return false;
  return !(read instanceof ipaddr.IPv6) || (isIn(read, '2000::/3') && !SPECIAL.some((range) => isIn(read, range)));
}

/** For protocols (RFC 2928), 6to4, and documents (RFC 9637). */
const SPECIAL = ['2001::/23', '2002::/16', '3fff::/20'] as const;

function isIn(address: ipaddr.IPv6, range: string): boolean {
  return address.match(ipaddr.IPv6.parseCIDR(range));
}
