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

/**
 * Each family has networks of its own, so that ::/0 does not permit IPv4 addresses. Those of IPv4 are compared as
 * numbers: a `BlockList` makes an object outside of the heap for each list and for each address that it is asked about.
 */
const networksMatcher = weakMemoize((ranges): ((address: string) => boolean) => {
  const ipv4: NumberedNetwork[] = [];
  let ipv6: BlockList | undefined;
  for (const range of ranges.split(' ')) {
    const [network = '', bits] = range.split('/');
    if (network.includes(':')) (ipv6 ??= new BlockList()).addSubnet(network, Number(bits), 'ipv6');
    else ipv4.push(numberedNetwork(network, Number(bits)));
  }
  return (address) => {
    const family = isIP(address);
    if (family === 6) return ipv6?.check(address, 'ipv6') ?? false;
    if (family === 0) return false;
    const number = numberOf(address);
    return ipv4.some(({ first, size }) => number >= first && number < first + size);
  };
});

/** The addresses of an IPv4 network, as numbers. */
interface NumberedNetwork {
  readonly first: number;
  readonly size: number;
}

function numberedNetwork(network: string, bits: number): NumberedNetwork {
  const size = 2 ** (32 - bits);
  return { first: Math.floor(numberOf(network) / size) * size, size };
}

/** @param address IPv4 */
function numberOf(address: string): number {
  return address.split('.').reduce((number, byte) => number * 256 + Number(byte), 0);
}
