import type { CompiledToken } from '../rules/access-request.js';
import { addressMatcher } from '../addresses/ip-address.js';
import { originMatcher } from './restrictions/origin-patterns.js';

/** What a self-signed token restricts its parent to, besides the one stream. Plain data: grants carry it. */
export interface SignedRestrictions {
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Canonical patterns and ranges. Empty: those of the parent. */
  readonly allowedOrigins: readonly string[];
  readonly allowedIpAddresses: readonly string[];
}

interface Matchers {
  readonly permitsOrigin: CompiledToken['permitsOrigin'];
  readonly permitsAddress: CompiledToken['permitsAddress'];
}

/** A session is decided again with the same restrictions each time, so they are compiled once. */
const compiled = new WeakMap<SignedRestrictions, Matchers>();

function matchersOf(signed: SignedRestrictions): Matchers {
  const known = compiled.get(signed);
  if (known) return known;
  const matchers = {
    permitsOrigin: originMatcher(signed.allowedOrigins),
    permitsAddress: addressMatcher(signed.allowedIpAddresses),
  };
  compiled.set(signed, matchers);
  return matchers;
}

/** The parent as a self-signed token for `streamName` stands for it: what both permit, until the earlier of both ends. */
export function restrictedBy(signed: SignedRestrictions, streamName: string, parent: CompiledToken): CompiledToken {
  const { permitsOrigin, permitsAddress } = matchersOf(signed);
  const { allowedOrigins, allowedIpAddresses, until } = signed;
  return Object.freeze({
    ...parent,
    streams: [{ streamName, isRegex: false }],
    permitsStream: (name: string) => name === streamName && parent.permitsStream(name),
    // `explain` shows the lists. What decides is that both permit it.
    allowedOrigins: allowedOrigins.length > 0 ? allowedOrigins : parent.allowedOrigins,
    permitsOrigin: (origin: string | undefined) => permitsOrigin(origin) && parent.permitsOrigin(origin),
    allowedIpAddresses: allowedIpAddresses.length > 0 ? allowedIpAddresses : parent.allowedIpAddresses,
    permitsAddress: (address: string) => permitsAddress(address) && parent.permitsAddress(address),
    signed,
    expiresOn: Math.min(until, parent.expiresOn ?? Infinity),
  });
}
