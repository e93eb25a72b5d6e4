import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from '../../addresses/ip-address.js';
import { addressMatcher } from '../../addresses/ip-ranges.js';
import { forwardedFor, xForwardedFor, type ForwardedHops } from './forwarded-header.js';

/** As much of a request as tells where it came from. */
export interface AddressedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Tells the address that a request came from, in canonical form. Empty when it cannot be told: the socket is gone, or
 * a proxy of ours hands on what is no address. It is never guessed, and no list and no binding admits it.
 */
export type ClientAddress = (req: AddressedRequest) => string;

export interface ClientAddressOptions {
  /** Called once, with the peer that sent the first X-Forwarded-For or Forwarded without being trusted. */
  readonly onUntrustedForward?: ((peer: string) => void) | undefined;
}

/**
 * The one place that decides a caller's address. It is the socket's, unless that is one of `trustedProxies` (addresses
 * and CIDR ranges in canonical form): then it is the right-most hop that X-Forwarded-For or Forwarded (RFC 7239) tells
 * of and that is no proxy of ours. What is further left came from the caller himself and is not looked at.
 *
 * A proxy writes one of the two headers and hands on the other as the caller sent it, and nothing tells which. So
 * where both are there they must agree.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  { onUntrustedForward }: ClientAddressOptions = {},
): ClientAddress {
  // An empty list would match everybody.
  const isTrusted = trustedProxies.length > 0 ? addressMatcher(trustedProxies) : () => false;
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
    const said: string[] = [];
    if (xForwarded !== undefined) said.push(outermost(xForwardedFor(String(xForwarded)), isTrusted));
    if (forwarded !== undefined) said.push(outermost(forwardedFor(forwarded), isTrusted));
    return said.every((address) => address === said[0]) ? said[0]! : '';
  };
}

/** The right-most hop that is no proxy of ours; the left-most where all of them are. Empty when a hop cannot be read. */
function outermost(hops: ForwardedHops, isTrusted: (address: string) => boolean): string {
  let address = '';
  for (const hop of hops.toReversed()) {
    address = (hop && canonicalAddress(hop)) ?? '';
    if (address === '' || !isTrusted(address)) return address;
  }
  return address;
}

/** IPv4 arrives as itself where the socket listens on both families, and a link-local address without its zone. */
function socketAddress(req: AddressedRequest): string {
  const address = req.socket.remoteAddress ?? '';
  if (!address.includes(':')) return address;
  return canonicalAddress(address.replace(/%.*$/, '')) ?? '';
}

/** As it is where no proxy is ours. */
export const clientAddress: ClientAddress = createClientAddress([]);
