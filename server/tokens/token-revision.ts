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

/** What an update may say. `subscribeRequiresAuth` is for publish tokens. */
export type TokenChange = UpdateSubscribeToken & Pick<UpdatePublishToken, 'subscribeRequiresAuth'>;

/**
 * The token as it is after the change, whose lists are in canonical form.
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
    allowedOrigins: change.allowedOrigins ?? present.allowedOrigins,
    allowedIpAddresses,
    bindIpsOnUsage,
    boundIps: boundStill(present.boundIps, change, bindIpsOnUsage),
    isActive: change.isActive ?? present.isActive,
    expiresOn: change.expires === undefined ? present.expiresOn : expiryOf(change.expires, now),
  };
}

/** @throws {InvalidRequestError} `binding_with_list`: which of the two would count nobody could tell */
export function checkBinding(token: Pick<TokenRecord, 'bindIpsOnUsage' | 'allowedIpAddresses'>): void {
  if (token.bindIpsOnUsage === 0 || token.allowedIpAddresses.length === 0) return;
  const both = 'binds addresses by use, or has a list of them written by hand, and not both: empty one';
  throw new InvalidRequestError({ bindIpsOnUsage: [`a token ${both}`] }, { code: 'binding_with_list' });
}

/** @param seconds from now; null: never */
export function expiryOf(seconds: number | null, now: number): number | null {
  return seconds === null ? null : now + seconds * 1_000;
}

export function distinct(streams: readonly StreamRule[]): StreamRule[] {
  return [...new Map(streams.map((rule) => [`${rule.isRegex}:${rule.streamName}`, rule])).values()];
}

/**
 * Bound addresses are what the token's list of addresses shows, so emptying that gives their places back, as does a
 * new value: whoever used the old one has to be given the new. Of fewer places the oldest addresses keep theirs.
 */
function boundStill(present: readonly BoundIp[], change: TokenChange, places: number): readonly BoundIp[] {
  if (change.refreshToken || change.allowedIpAddresses) return [];
  return present.slice(0, places);
}

/** Removing comes before adding: to name a stream in both is to replace its rule. */
function reviseStreams(present: TokenRecord['streams'], change: TokenChange): TokenRecord['streams'] {
  if (change.streams) return distinct(change.streams);
  const { addTokenStreams: added = [], removeTokenStreams: removed = [] } = change;
  const streams = distinct([...present.filter(({ streamName }) => !removed.includes(streamName)), ...added]);
  if (added.length > 0) checkStreams(streams);
  return streams;
}

function checkStreams(streams: TokenRecord['streams']): void {
  if (streams.length > MAX_STREAMS) {
    const tooMany = `the token would have ${streams.length} streams, and ${MAX_STREAMS} is the most`;
    throw new InvalidRequestError({ addTokenStreams: [tooMany] });
  }
  checkPatterns('addTokenStreams', streams);
}
