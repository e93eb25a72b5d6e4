import { sharingNetwork } from '../../addresses/fair-places.js';
import { secretHash } from '../secret-value.js';

/** Those that were used last. Each lets whoever is in it guess as often as everybody else together. */
export const MOST_KNOWN = 8;

/**
 * The network that a member logs in from, as a hash that differs for each member. Undefined: unknown.
 * @param address in the form of `bindingAddress`
 */
export function loginNetwork(memberId: string, address: string): string | undefined {
  return address === '' ? undefined : secretHash(`${memberId} ${sharingNetwork(address)}`);
}

/** The networks that are known after a login from this one, the newest first. */
export function withNetwork(known: readonly string[], network: string | undefined): readonly string[] {
  if (network === undefined) return known;
  return [network, ...known.filter((other) => other !== network)].slice(0, MOST_KNOWN);
}
