import { ApiError } from '../../errors.js';
import type { TokenRecord } from '../../tokens/token-record.js';

/** If-Match of RFC 9110 13.1.1: `*`, or one or more entity tags. */
export const IF_MATCH = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*)$/;

/** A client has read one version or a few. */
const MOST_TAGS = 100;

/** The entity tag of a record: another one after each change, and after each new address binding. */
export function entityTagOf({ revision }: Pick<TokenRecord, 'revision'>): string {
  return `"${revision}"`;
}

/**
 * Whether If-Match names the record as it is. A weak tag counts as the strong one: the tag names a version and not its
 * bytes, and proxies that compress answers make strong tags weak.
 * @param ifMatch undefined, or in the form of `IF_MATCH`
 */
export function matchesEntityTag(record: Pick<TokenRecord, 'revision'>, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined || ifMatch === '*') return true;
  return ifMatch.split(',', MOST_TAGS).some((tag) => tag.trim().replace(/^W\//, '') === entityTagOf(record));
}

/** @throws {ApiError} 412 `etag_mismatch`, with the entity tag of the record as it is */
export function requireEntityTag(record: Pick<TokenRecord, 'revision'>, ifMatch: string | undefined): void {
  if (matchesEntityTag(record, ifMatch)) return;
  const message = 'The token was changed since it was read, and nothing was changed now; read it again';
  throw new ApiError(412, 'etag_mismatch', message, { headers: { etag: entityTagOf(record) } });
}
