import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { canonicalList, InvalidEntryError } from '../tokens/restrictions/canonical-list.js';
import { weakMemoize } from '../tokens/restrictions/weak-memoize.js';
import type { BoundIp } from '../tokens/token-record.js';

const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
/** IPv4 in IPv6's clothes, `::ffff:192.0.2.1`, has its own address in the last 32 of 128 bits. */
const MAPPED_BITS = 96;
/** What one household or one machine is given of IPv6; within it addresses change by the hour. */
const BINDING_BITS = 64;

/**
 * The one way to write an address: IPv4 for what IPv6 only carries, else RFC 5952. Undefined for what is no address,
 * for the forms of IPv4 that only some read (`127.1`, `010.0.0.1`, `0x7f.1`), and for one with a zone.
 */
export function canonicalAddress(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0 || text.includes('%')) return undefined;
  return ipaddr.process(text).toString();
}

/**
 * An entry of `allowedIpAddresses` as it is kept: an address, or a range by the address of its network.
 * @throws {InvalidEntryError}
 */
export function canonicalAddressRange(text: string): string {
  const [written = '', bits, ...rest] = text.split('/');
  const address = canonicalAddress(written);
  if (address === undefined || rest.length > 0) {
    throw new InvalidEntryError('must be an IPv4 or IPv6 address, or a range such as 192.0.2.0/24');
  }
  if (bits === undefined) return address;

  const width = isIP(address) === 4 ? 32 : 128;
  const prefix = Number(bits) - (width === 32 && written.includes(':') ? MAPPED_BITS : 0);
  if (!PREFIX.test(bits) || prefix < 0 || prefix > width) {
    throw new InvalidEntryError('has a prefix length that its address cannot have');
  }
  if (prefix === width) return address;
  return networkOf(address, prefix);
}

/**
 * The whole of `allowedIpAddresses` as it is kept, each entry once.
 * @throws {InvalidRequestError} `invalid_address`
 */
export function checkAddresses(field: string, list: readonly string[]): string[] {
  return canonicalList(field, list, canonicalAddressRange, { code: 'invalid_address' });
}

const EVERY_ADDRESS = (): boolean => true;

/**
 * A test for "may this address use the token", from ranges and to addresses in canonical form. An empty list permits
 * every address, also one that cannot be told; any other permits that never.
 */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return EVERY_ADDRESS;
  const addresses = new Set(ranges.filter((range) => !range.includes('/')));
  if (addresses.size === ranges.length) return (address) => addresses.has(address);

  const inNetworks = networksMatcher(ranges.filter((range) => range.includes('/')).join(' '));
  if (addresses.size === 0) return inNetworks;
  return (address) => addresses.has(address) || inNetworks(address);
}

/** One for each family: a range of IPv6 as wide as ::/0 is not meant for IPv4. */
interface Networks {
  ipv4?: BlockList;
  ipv6?: BlockList;
}

const networksMatcher = weakMemoize((ranges): ((address: string) => boolean) => {
  const networks: Networks = {};
  for (const range of ranges.split(' ')) {
    const [network = '', bits] = range.split('/');
    const family = familyOf(network);
    (networks[family] ??= new BlockList()).addSubnet(network, Number(bits), family);
  }
  return (address) => {
    const family = familyOf(address);
    return isIP(address) !== 0 && (networks[family]?.check(address, family) ?? false);
  };
});

/**
 * What a token is bound to when it is used from `address`, which is in canonical form: IPv4 itself, of IPv6 the /64,
 * as `2001:db8:1:2::/64`. What is no address stays as it is.
 */
export function bindingAddress(address: string): string {
  return isIP(address) === 6 ? networkOf(address, BINDING_BITS) : address;
}

const UNBOUND = (): boolean => false;

/** A test for "is the token bound to this address", which is in canonical form. */
export function bindingMatcher(boundIps: readonly BoundIp[]): (address: string) => boolean {
  if (boundIps.length === 0) return UNBOUND;
  const bound = new Set(boundIps.map(({ address }) => address));
  return (address) => bound.has(bindingAddress(address));
}

function networkOf(address: string, prefix: number): string {
  const family = isIP(address) === 4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(`${address}/${prefix}`).toString()}/${prefix}`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
