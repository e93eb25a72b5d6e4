import { BlockList, isIP } from 'node:net';
import { weakMemoize } from '../weak-memoize.js';
import { canonicalAddress, networkOf } from './ip-address.js';

const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
/** An IPv4-mapped IPv6 address, `::ffff:192.0.2.1`, has its IPv4 address after the first 96 bits. */
const MAPPED_PREFIX = 96;

/** The text is no address range. The message is for the author of the text and does not repeat it. */
export class InvalidAddressRangeError extends Error {
  override name = 'InvalidAddressRangeError';
}

/**
 * The canonical text of an address or a CIDR range. A range is written with the first address of its network.
 * @throws {InvalidAddressRangeError}
 */
export function canonicalAddressRange(text: string): string {
  const [written = '', bits, ...rest] = text.split('/', 3);
  const address = canonicalAddress(written);
  if (address === undefined || rest.length > 0) {
    throw new InvalidAddressRangeError('must be an IPv4 or IPv6 address, or a range such as 192.0.2.0/24');
  }
  if (bits === undefined) return address;

  const width = isIP(address) === 4 ? 32 : 128;
  const prefix = Number(bits) - (width === 32 && written.includes(':') ? MAPPED_PREFIX : 0);
  if (!PREFIX.test(bits) || prefix < 0 || prefix > width) {
    throw new InvalidAddressRangeError('has a prefix length that does not fit its address');
  }
  if (prefix === width) return address;
  return networkOf(address, prefix);
}

const matchAll = (): boolean => true;
const matchNone = (): boolean => false;

/**
 * Compiles ranges into a test of addresses, all in canonical form. An empty list permits every address, including an
 * unknown one (empty text). Any other list refuses an unknown address.
 */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return matchAll;
  const addresses = new Set(ranges.filter((range) => !range.includes('/')));
  if (addresses.size === ranges.length) return (address) => addresses.has(address);

  const inNetworks = networksMatcher(ranges.filter((range) => range.includes('/')).join(' '));
  if (addresses.size === 0) return inNetworks;
  return (address) => addresses.has(address) || inNetworks(address);
}

/**
 * Compiles denied ranges into a test whether an address is denied. An empty list denies no address. Any other list also
 * denies an unknown address, because that may be one of the list.
 */
export function denialMatcher(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return matchNone;
  const isListed = addressMatcher(ranges);
  return (address) => isIP(address) === 0 || isListed(address);
}

/** One block list for each family, so that ::/0 does not permit IPv4 addresses. */
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

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
