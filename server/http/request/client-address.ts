import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from '../../addresses/ip-address.js';
import { addressMatcher } from '../../addresses/ip-ranges.js';
import { forwardedFor, xForwardedFor, type ForwardedHops } from './forwarded-header.js';

/** The parts of a request that its address follows from. */
export interface AddressedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Returns the address that a request came from, in canonical form. Empty: unknown, because the socket is closed or a
 * trusted proxy sent something that is not an address. No address list and no binding admits an empty address.
 */
export type ClientAddress = (req: AddressedRequest) => string;

/** Whether a request comes from one of `trustedProxies`, which are addresses and CIDR ranges in canonical form. */
export function isFromProxy(trustedProxies: readonly string[]): (req: AddressedRequest) => boolean {
  const isTrusted = proxyMatcher(trustedProxies);
  return (req) => isTrusted(socketAddress(req));
}

export interface ClientAddressOptions {
  /** Called once, with the first peer that sent X-Forwarded-For or Forwarded and is not a trusted proxy. */
  readonly onUntrustedForward?: ((peer: string) => void) | undefined;
}

/**
 * Decides the address of every caller. It is the address of the socket, unless that is one of `trustedProxies`
 * (addresses and CIDR ranges in canonical form). Then it is the rightmost hop in X-Forwarded-For or Forwarded (RFC
 * 7239) that is not a trusted proxy. Hops further left are ignored: the caller can forge them.
 *
 * A proxy writes one of the two headers and may pass on the other as the caller sent it. If a request has both headers,
 * they must agree; otherwise the address is unknown.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  { onUntrustedForward }: ClientAddressOptions = {},
): ClientAddress {
  const isTrusted = proxyMatcher(trustedProxies);
  let warned = onUntrustedForward === undefined;
  return (req) => {
    const peer = socketAddress(req);
    const { 'x-forwarded-for': xForwarded, forwarded } = req.headers;
    if (xForwarded === undefined && forwarded === undefined) return peer;
    if (!isTrusted(peer)) {
      if (!warned) {
        warned = true;
        onUntrustedForward?.(peer);
      }
      return peer;
    }
    const addresses: string[] = [];
    if (xForwarded !== undefined) addresses.push(callerOf(xForwardedFor(String(xForwarded)), isTrusted));
    if (forwarded !== undefined) addresses.push(callerOf(forwardedFor(forwarded), isTrusted));
    return addresses.every((address) => address === addresses[0]) ? addresses[0]! : '';
  };
}

function proxyMatcher(trustedProxies: readonly string[]): (address: string) => boolean {
  // A matcher with an empty list matches every address.
  return trustedProxies.length > 0 ? addressMatcher(trustedProxies) : () => false;
}

/** The rightmost hop that is not trusted, or the leftmost if all are. Empty: a hop on the way is not an address. */
function callerOf(hops: ForwardedHops, isTrusted: (address: string) => boolean): string {
  let address = '';
  for (const hop of hops.toReversed()) {
    address = (hop && canonicalAddress(hop)) ?? '';
    if (address === '' || !isTrusted(address)) return address;
  }
  return address;
}

/** In canonical form: IPv4 as such on a socket for both families, and link-local addresses without a zone. */
function socketAddress(req: AddressedRequest): string {
  const address = req.socket.remoteAddress ?? '';
  if (!address.includes(':')) return address;
  return canonicalAddress(address.replace(/%.*$/, '')) ?? '';
}

/** The address of the socket: there are no trusted proxies. */
export const clientAddress: ClientAddress = createClientAddress([]);
