import {
  MAX_STREAMS,
  type StreamRule,
  type UpdatePublishToken,
  type UpdateSubscribeToken,
} from '../../src/wire/management/token.js';
import { InvalidRequestError } from '../errors.js';
import { checkPatterns } from './restrictions/stream-patterns.js';
import type { BoundIp, TokenRecord } from './token-record.js';
import type { NewToken } from './token-store.js';

/** Fields that only publish tokens have. */
export type PublishOnly = 'subscribeRequiresAuth' | 'record' | 'recordingRetentionDays';

/** The fields of an update. */
export type TokenChange = UpdateSubscribeToken & Pick<UpdatePublishToken, PublishOnly>;

/**
 * Applies a change, whose lists are in canonical form, to a token.
 * @throws {InvalidRequestError} `invalid_pattern`, `binding_with_list`, or more streams than a token may have
 */
export function reviseToken(
  present: TokenRecord,
  change: TokenChange,
  { now, newValue }: { readonly now: number; readonly newValue: string },
): NewToken {
  const bindIpsOnUsage = change.bindIpsOnUsage === undefined ? present.bindIpsOnUsage : (change.bindIpsOnUsage ?? 0);
  const allowedIpAddresses = change.allowedIpAddresses ?? present.allowedIpAddresses;
  checkBinding({ bindIpsOnUsage, allowedIpAddresses });
  return {
    ...present,
    token: change.refreshToken ? newValue : present.token,
    label: change.label ?? present.label,
    streams: reviseStreams(present.streams, change),
    subscribeRequiresAuth: change.subscribeRequiresAuth ?? present.subscribeRequiresAuth,
    record: change.record === undefined ? present.record : (change.record ?? false),
    recordingRetentionDays:
      change.recordingRetentionDays === undefined ? present.recordingRetentionDays : change.recordingRetentionDays,
    allowedOrigins: change.allowedOrigins ?? present.allowedOrigins,
    allowedIpAddresses,
    deniedIpAddresses: change.deniedIpAddresses ?? present.deniedIpAddresses,
    allowedCountries:
      change.allowedCountries === undefined ? present.allowedCountries : distinct(change.allowedCountries),
    deniedCountries: change.deniedCountries === undefined ? present.deniedCountries : distinct(change.deniedCountries),
    bindIpsOnUsage,
    boundIps: remainingBindings(present.boundIps, change, bindIpsOnUsage),
    maxSessions: change.maxSessions ?? present.maxSessions,
    whenFull: change.whenFull ?? present.whenFull,
    isActive: change.isActive ?? present.isActive,
    expiresOn: change.expires === undefined ? present.expiresOn : expiryAfter(change.expires, now),
  };
}

/** @throws {InvalidRequestError} `binding_with_list`: it would be unclear which of the two applies */
export function checkBinding(token: Pick<TokenRecord, 'bindIpsOnUsage' | 'allowedIpAddresses'>): void {
  if (token.bindIpsOnUsage === 0 || token.allowedIpAddresses.length === 0) return;
  const message =
    'a token cannot both bind addresses and have allowedIpAddresses: set bindIpsOnUsage to 0 or empty the list';
  throw new InvalidRequestError({ bindIpsOnUsage: [message] }, { code: 'binding_with_list' });
}

/** @throws {InvalidRequestError} `unsupported_field`: the server has no database of countries */
export function checkCountries(
  fields: Readonly<Partial<Record<'allowedCountries' | 'deniedCountries', readonly string[] | null | undefined>>>,
  knowsCountries: boolean,
): void {
  if (knowsCountries) return;
  const message = 'is not supported by this server, which has no database of countries: set GEOIP_DB';
  const errors = (['allowedCountries', 'deniedCountries'] as const)
    .filter((name) => (fields[name] ?? []).length > 0)
    .map((name) => [name, [message]] as const);
  if (errors.length > 0) throw new InvalidRequestError(Object.fromEntries(errors), { code: 'unsupported_field' });
}

/** The list without repetitions. */
export function distinct(list: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(list)];
}

/** @param seconds from now; null: never @returns milliseconds since 1970 */
export function expiryAfter(seconds: number | null, now: number): number | null {
  return seconds === null ? null : now + seconds * 1_000;
}

/** The stream rules without repetitions. */
export function distinctRules(streams: readonly StreamRule[]): StreamRule[] {
  return [...new Map(streams.map((rule) => [`${rule.isRegex}:${rule.streamName}`, rule])).values()];
}

/**
 * The bindings that a change keeps. On the wire, `allowedIpAddresses` shows the bound addresses, so an update of that
 * list removes all bindings. A refresh does too, because every user needs the new value. If the maximum falls, the
 * oldest bindings remain.
 */
function remainingBindings(present: readonly BoundIp[], change: TokenChange, maximum: number): readonly BoundIp[] {
  if (change.refreshToken || change.allowedIpAddresses) return [];
  return present.slice(0, maximum);
}

/** Removes before it adds, so a stream that both lists name gets a new rule. */
function reviseStreams(present: TokenRecord['streams'], change: TokenChange): TokenRecord['streams'] {
  if (change.streams) return distinctRules(change.streams);
  const { addTokenStreams: added = [], removeTokenStreams: removed = [] } = change;
  const streams = distinctRules([...present.filter(({ streamName }) => !removed.includes(streamName)), ...added]);
  if (added.length > 0) checkStreams(streams);
  return streams;
}

function checkStreams(streams: TokenRecord['streams']): void {
  if (streams.length > MAX_STREAMS) {
    const tooMany = `the token would have ${streams.length} streams; the maximum is ${MAX_STREAMS}`;
    throw new InvalidRequestError({ addTokenStreams: [tooMany] });
  }
  checkPatterns('addTokenStreams', streams);
}
