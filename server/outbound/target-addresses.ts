import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { addressMatcher } from '../addresses/ip-ranges.js';
import { canonicalAddress } from '../addresses/ip-address.js';
import { isPublicAddress } from '../addresses/public-address.js';
import { nameLookup, type NameLookup } from './name-lookup.js';

/** The receiver has no address that may be called. It names none: owners of accounts must not learn of our network. */
export class AddressRefusedError extends Error {
  override name = 'AddressRefusedError';

  constructor() {
    super('the receiver is not on the internet');
  }
}

/**
 * Decides which addresses receivers may have: those of the internet, and those of networks that the operator allows.
 * Names are looked up once for each connection, and the connection is made to an address of that answer: a name that
 * has another address a moment later changes nothing.
 */
export class TargetAddresses {
  readonly #isAllowed: (address: string) => boolean;
  readonly #lookup: NameLookup;

  /** @param networks in canonical form */
  constructor(networks: readonly string[], lookup: NameLookup = nameLookup()) {
    const inNetworks = networks.length > 0 ? addressMatcher(networks) : () => false;
    this.#isAllowed = (address) => isPublicAddress(address) || inNetworks(address);
    this.#lookup = lookup;
  }

  /**
   * The addresses of a host of a URL that may be called.
   * @param signal ends the lookup
   * @throws {AddressRefusedError} it has none @throws {NameUnknownError} @throws the reason of the signal
   */
  async of(host: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const literal = host.replace(/^\[|\]$/g, '');
    const found = isIP(literal) ? [{ address: literal, family: isIP(literal) }] : await this.#lookup(host, signal);
    const permitted = found.flatMap(({ address }) => {
      const canonical = canonicalAddress(address);
      return canonical !== undefined && this.#isAllowed(canonical)
        ? [{ address: canonical, family: isIP(canonical) }]
        : [];
    });
    if (permitted.length === 0) throw new AddressRefusedError();
    return permitted;
  }

  /** Whether the host of a URL is an address that may not be called. A name is not looked up. */
  refuses(host: string): boolean {
    const literal = canonicalAddress(host.replace(/^\[|\]$/g, ''));
    if (literal !== undefined) return !this.#isAllowed(literal);
    return /(?:^|\.)localhost\.?$/i.test(host) && !this.#isAllowed('127.0.0.1') && !this.#isAllowed('::1');
  }
}
