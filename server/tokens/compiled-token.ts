import { bindingAddress } from '../addresses/ip-address.js';
import { addressMatcher, denialMatcher } from '../addresses/ip-ranges.js';
import { originMatcher } from './restrictions/origin-patterns.js';
import { streamMatcher } from './restrictions/stream-patterns.js';
import type { BoundIp, TokenRecord } from './token-record.js';

/** What a self-signed token restricts its parent token to, besides one stream name. Plain data: grants carry it. */
export interface SignedRestrictions {
  /** Milliseconds since 1970. */
  readonly until: number;
  /** In canonical form, as `allowedIpAddresses`. Empty: the list of the parent applies alone. */
  readonly allowedOrigins: readonly string[];
  readonly allowedIpAddresses: readonly string[];
  /** In canonical form. The list of the parent applies too. */
  readonly deniedIpAddresses: readonly string[];
  readonly allowedCountries: readonly string[];
  readonly deniedCountries: readonly string[];
  /** How many may watch with the self-signed token at once, besides the limit of the parent. 0: any number. */
  readonly maxSessions: number;
  /** Whose viewings are counted together: the `jti` of the self-signed token, or the token itself. */
  readonly id: string;
}

/** A token with its lists compiled into matchers, when it is first used. */
export interface CompiledToken extends TokenRecord {
  /** Identifies the present value of the token, which a refresh replaces, without revealing it. */
  readonly fingerprint: string;
  /** The restrictions of the self-signed token that was presented; null if the token itself was. */
  readonly signed: SignedRestrictions | null;
  readonly permitsStream: (streamName: string) => boolean;
  /** Whether `allowedOrigins` permits the origin. An empty list permits every origin, and a client that sends none. */
  readonly permitsOrigin: (origin: string | undefined) => boolean;
  /** Whether `allowedIpAddresses` permits the address. An empty list permits every address. */
  readonly permitsAddress: (address: string) => boolean;
  /** Whether `deniedIpAddresses` names the address. A list that is not empty denies an unknown address. */
  readonly deniesAddress: (address: string) => boolean;
  /** Whether `allowedCountries` and `deniedCountries` permit the country. Undefined: it is not known. */
  readonly permitsCountry: (country: string | undefined) => boolean;
  /** Whether `boundIps` contains the network that the address counts as. */
  readonly isBoundTo: (address: string) => boolean;
}

/** Whether the token, or the self-signed token that was presented, limits how many watch at the same time. */
export function limitsSessions({ maxSessions, signed }: Pick<CompiledToken, 'maxSessions' | 'signed'>): boolean {
  return maxSessions > 0 || (signed !== null && signed.maxSessions > 0);
}

const FINGERPRINT_HEX_DIGITS = 16;

/** @param valueHash `tokenHash` of the value of the token */
export function compileToken(record: TokenRecord, valueHash: string): CompiledToken {
  return Object.freeze({
    ...record,
    signed: null,
    fingerprint: valueHash.slice(0, FINGERPRINT_HEX_DIGITS),
    permitsStream: streamMatcher(record.streams),
    permitsOrigin: originMatcher(record.allowedOrigins),
    permitsAddress: addressMatcher(record.allowedIpAddresses),
    deniesAddress: denialMatcher(record.deniedIpAddresses),
    permitsCountry: countryMatcher(record),
    isBoundTo: bindingMatcher(record.boundIps),
  });
}

/**
 * The parent token as a self-signed token for `streamName` restricts it: both must permit, and the earlier end counts.
 */
export function restrictToken(signed: SignedRestrictions, streamName: string, parent: CompiledToken): CompiledToken {
  const { permitsOrigin, permitsAddress, deniesAddress, permitsCountry } = matchersOf(signed);
  const { allowedOrigins, allowedIpAddresses, allowedCountries, until } = signed;
  return Object.freeze({
    ...parent,
    streams: [{ streamName, isRegex: false }],
    permitsStream: (name: string) => name === streamName && parent.permitsStream(name),
    // The lists are for `explain` only. The matchers decide.
    allowedOrigins: allowedOrigins.length > 0 ? allowedOrigins : parent.allowedOrigins,
    permitsOrigin: (origin: string | undefined) => permitsOrigin(origin) && parent.permitsOrigin(origin),
    allowedIpAddresses: allowedIpAddresses.length > 0 ? allowedIpAddresses : parent.allowedIpAddresses,
    permitsAddress: (address: string) => permitsAddress(address) && parent.permitsAddress(address),
    deniedIpAddresses: [...parent.deniedIpAddresses, ...signed.deniedIpAddresses],
    deniesAddress: (address: string) => deniesAddress(address) || parent.deniesAddress(address),
    allowedCountries: allowedCountries.length > 0 ? allowedCountries : parent.allowedCountries,
    deniedCountries: [...parent.deniedCountries, ...signed.deniedCountries],
    permitsCountry: (country: string | undefined) => permitsCountry(country) && parent.permitsCountry(country),
    signed,
    expiresOn: Math.min(until, parent.expiresOn ?? Infinity),
  });
}

const matchNone = (): boolean => false;

/** Compiles bound addresses into a test of addresses in canonical form. */
export function bindingMatcher(boundIps: readonly BoundIp[]): (address: string) => boolean {
  if (boundIps.length === 0) return matchNone;
  const bound = new Set(boundIps.map(({ address }) => address));
  return (address) => bound.has(bindingAddress(address));
}

type CountryLists = Pick<TokenRecord, 'allowedCountries' | 'deniedCountries'>;

const matchAll = (): boolean => true;

function countryMatcher({ allowedCountries, deniedCountries }: CountryLists): CompiledToken['permitsCountry'] {
  if (allowedCountries.length === 0 && deniedCountries.length === 0) return matchAll;
  const [allowed, denied] = [new Set(allowedCountries), new Set(deniedCountries)];
  return (country) => (country === undefined ? allowed.size === 0 : isPermitted(country, allowed, denied));
}

function isPermitted(country: string, allowed: ReadonlySet<string>, denied: ReadonlySet<string>): boolean {
  return (allowed.size === 0 || allowed.has(country)) && !denied.has(country);
}

type RestrictionMatchers = Pick<CompiledToken, 'permitsOrigin' | 'permitsAddress' | 'deniesAddress' | 'permitsCountry'>;

/** A session is decided again with the same restrictions object each time, so each object is compiled once. */
const compiledRestrictions = new WeakMap<SignedRestrictions, RestrictionMatchers>();

function matchersOf(signed: SignedRestrictions): RestrictionMatchers {
  const known = compiledRestrictions.get(signed);
  if (known) return known;
  const matchers = {
    permitsOrigin: originMatcher(signed.allowedOrigins),
    permitsAddress: addressMatcher(signed.allowedIpAddresses),
    deniesAddress: denialMatcher(signed.deniedIpAddresses),
    permitsCountry: countryMatcher(signed),
  };
  compiledRestrictions.set(signed, matchers);
  return matchers;
}
