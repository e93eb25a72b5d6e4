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

const FORWARDED = 'forwarded';
const X_FORWARDED_FOR = 'x-forwarded-for';

export interface ClientAddressOptions {
  /** The header that the trusted proxies write, in lower case. All but `forwarded` (RFC 7239) have lists of addresses. */
  readonly header?: string | undefined;
  /** Called once, with the first peer that sent X-Forwarded-For or Forwarded and is not a trusted proxy. */
  readonly onUntrustedForward?: ((peer: string) => void) | undefined;
}

/**
 * Decides the address of every caller. It is the address of the socket, unless that is one of `trustedProxies`
 * (addresses and CIDR ranges in canonical form). Then it is the rightmost hop in the header of the proxies that is not a
 * trusted proxy. Hops further left are ignored: the caller can forge them.
 *
 * A proxy writes one header and may pass on others as the caller sent them, so no other is read. But a request with
 * another one alone comes from a proxy that writes that one: then the address is unknown.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  { header = X_FORWARDED_FOR, onUntrustedForward }: ClientAddressOptions = {},
): ClientAddress {
  const isTrusted = proxyMatcher(trustedProxies);
  let warned = onUntrustedForward === undefined;
  return (req) => {
    const peer = socketAddress(req);
    const { [header]: value, [X_FORWARDED_FOR]: addresses, [FORWARDED]: hopsOfRfc } = req.headers;
    if (value === undefined && addresses === undefined && hopsOfRfc === undefined) return peer;
    if (!isTrusted(peer)) {
      if (!warned) {
        warned = true;
        onUntrustedForward?.(peer);
      }
      return peer;
    }
    const hops = header === FORWARDED ? forwardedFor : xForwardedFor;
    return value === undefined ? '' : callerOf(hops(String(value)), isTrusted);
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
