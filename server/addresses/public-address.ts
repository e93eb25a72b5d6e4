import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to a machine of the internet: not to this machine, its networks, a carrier's network, a
 * range for documents, or a range that reaches such an address through a gateway (NAT64, 6to4, Teredo).
 * @param address in canonical form
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
