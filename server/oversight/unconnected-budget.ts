import { sharingNetwork } from '../addresses/fair-places.js';

const PERIOD_MS = 60_000;
const OF_ONE_NETWORK = 20;
const OF_ALL = 200;

/**
 * How many sessions whose media has not connected may be recorded in a minute, by network and in all. Whoever may watch
 * can open and close hundreds a second, and their rows would fill the disk.
 */
export class UnconnectedBudget {
  #begun = -Infinity;
  #all = 0;
  readonly #ofNetwork = new Map<string, number>();

  /** @param now milliseconds since 1970 */
  take(address: string, now: number): boolean {
    if (now - this.#begun >= PERIOD_MS) {
      this.#begun = now;
      this.#all = 0;
      this.#ofNetwork.clear();
    }
    const network = sharingNetwork(address);
    const taken = this.#ofNetwork.get(network) ?? 0;
    if (taken >= OF_ONE_NETWORK || this.#all >= OF_ALL) return false;
    this.#all += 1;
    this.#ofNetwork.set(network, taken + 1);
    return true;
  }
}
