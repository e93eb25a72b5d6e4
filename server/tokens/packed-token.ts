import { RecentValues } from '../recent-values.js';
import type { BoundIp, TokenRecord } from './token-record.js';

/** What most tokens of an account have in common. */
const TRAITS = [
  'accountId',
  'kind',
  'subscribeRequiresAuth',
  'record',
  'recordingRetentionDays',
  'deniedIpAddresses',
  'bindIpsOnUsage',
  'allowedCountries',
  'deniedCountries',
  'maxSessions',
  'whenFull',
  'isActive',
] as const satisfies readonly (keyof TokenRecord)[];
type Traits = Pick<TokenRecord, (typeof TRAITS)[number]>;

/** How many are known at a time. There may be as many as tokens. */
const MOST_TRAITS = 1_000;

const NONE: readonly BoundIp[] = Object.freeze([]);

/**
 * A token in little memory: there may be a million, most of which nobody uses for days. What it has in common with others
 * is theirs too. Its lists are shared by the rows that they come from.
 */
export class PackedToken {
  readonly id: number;
  readonly revision: number;
  readonly #value: string;
  readonly #label: string;
  readonly #addedOn: number;
  readonly #expiresOn: number | null;
  readonly #streams: TokenRecord['streams'];
  readonly #allowedOrigins: readonly string[];
  readonly #allowedIpAddresses: readonly string[];
  readonly #traits: Traits;

  /** @param record a token without bound addresses */
  constructor(record: TokenRecord, traits: Traits) {
    this.id = record.id;
    this.revision = record.revision;
    this.#value = record.token;
    this.#label = record.label;
    this.#addedOn = record.addedOn;
    this.#expiresOn = record.expiresOn;
    this.#streams = record.streams;
    this.#allowedOrigins = record.allowedOrigins;
    this.#allowedIpAddresses = record.allowedIpAddresses;
    this.#traits = traits;
  }

  unpacked(): TokenRecord {
    return Object.freeze({
      ...this.#traits,
      id: this.id,
      token: this.#value,
      label: this.#label,
      streams: this.#streams,
      allowedOrigins: this.#allowedOrigins,
      allowedIpAddresses: this.#allowedIpAddresses,
      boundIps: NONE,
      addedOn: this.#addedOn,
      expiresOn: this.#expiresOn,
      revision: this.revision,
    });
  }
}

/** Packs tokens. Those that come one after another share what they have in common. */
export class TokenPacker {
  readonly #known = new RecentValues<Traits>(MOST_TRAITS);

  /** Undefined: the token is not worth packing, because it has bound addresses or cannot be read. */
  pack(record: TokenRecord): PackedToken | undefined {
    if (record.boundIps.length > 0 || record.unreadable) return undefined;
    return new PackedToken(record, this.#traitsOf(record));
  }

  #traitsOf(record: TokenRecord): Traits {
    const traits = Object.fromEntries(TRAITS.map((name) => [name, record[name]])) as Traits;
    const key = JSON.stringify(traits);
    const known = this.#known.get(key);
    if (!known) this.#known.set(key, traits);
    return known ?? traits;
  }
}
