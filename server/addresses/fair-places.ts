import { isIP } from 'node:net';
import { networkOf } from './ip-address.js';

/** What one customer of a provider can have without effort: of IPv4, a /24. */
const IPV6_PREFIX = 64;

/**
 * The network that shares places: the /24 of an IPv4 address, the /64 of an IPv6 address. All unknown addresses share
 * one.
 * @param address in canonical form, or in the form of `bindingAddress`
 */
export function sharingNetwork(address: string): string {
  const family = isIP(address);
  // The /64 of IPv6 is written as a network already.
  if (family === 0) return address || 'unknown';
  return family === 4 ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : networkOf(address, IPV6_PREFIX);
}

/**
 * A number of places that everybody shares, fairly by network: when all are taken, the network that has the most loses
 * its oldest. So whoever fills the places by many connections from few networks ends their own.
 *
 * For what has not proved anything yet, such as connections before their first request. A network of many honest people
 * has few of these at a time.
 */
export class FairPlaces<Holder> {
  readonly #most: number;
  readonly #networkOf = new Map<Holder, string>();
  /** The holders of each network, the oldest first. */
  readonly #byNetwork = new Map<string, Set<Holder>>();
  /** The networks that have so many places, by this number. The search for the fullest one must not cost a stranger's flood. */
  readonly #bySize: Set<string>[] = [];

  /** @param most how many places there are */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#networkOf.size;
  }

  /** How many places the network has that has the most. */
  get mostOfOne(): number {
    return Math.max(0, this.#bySize.length - 1);
  }

  has(holder: Holder): boolean {
    return this.#networkOf.has(holder);
  }

  /** All who have a place. */
  holders(): IterableIterator<Holder> {
    return this.#networkOf.keys();
  }

  /** All who have a place of the network of an address. */
  holdersOf(address: string): Iterable<Holder> {
    return this.#byNetwork.get(sharingNetwork(address)) ?? [];
  }

  /** How many places the network of an address has. */
  countOf(address: string): number {
    return this.#byNetwork.get(sharingNetwork(address))?.size ?? 0;
  }

  /** Who has a place of the network of an address for the longest time. */
  oldestOf(address: string): Holder | undefined {
    return this.#byNetwork.get(sharingNetwork(address))?.keys().next().value;
  }

  /**
   * Gives a place to a holder who has none.
   * @param address in canonical form; empty: unknown
   * @returns who lost their place for it, which the caller must end. Undefined: nobody
   */
  take(address: string, holder: Holder): Holder | undefined {
    const network = sharingNetwork(address);
    this.release(holder);
    this.#networkOf.set(holder, network);
    const ofNetwork = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, ofNetwork.add(holder));
    this.#resized(network, ofNetwork.size - 1, ofNetwork.size);
    if (this.size <= this.#most) return undefined;
    const [fullest] = this.#bySize.at(-1)!;
    const [oldest] = this.#byNetwork.get(fullest!)!;
    this.release(oldest!);
    return oldest;
  }

  /** @returns false if the holder has no place */
  release(holder: Holder): boolean {
    const network = this.#networkOf.get(holder);
    if (network === undefined) return false;
    this.#networkOf.delete(holder);
    const ofNetwork = this.#byNetwork.get(network)!;
    ofNetwork.delete(holder);
    if (ofNetwork.size === 0) this.#byNetwork.delete(network);
    this.#resized(network, ofNetwork.size + 1, ofNetwork.size);
    return true;
  }

  #resized(network: string, before: number, after: number): void {
    this.#bySize[before]?.delete(network);
    if (after > 0) (this.#bySize[after] ??= new Set()).add(network);
    while (this.#bySize.length > 0 && !this.#bySize.at(-1)?.size) this.#bySize.pop();
  }
}
