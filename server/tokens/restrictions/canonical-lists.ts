import { canonicalAddressRange, InvalidAddressRangeError } from '../../addresses/ip-ranges.js';
import { InvalidRequestError } from '../../errors.js';
import { canonicalOriginPattern, InvalidOriginPatternError } from './origin-patterns.js';

/** The most entries that one error reports. */
const MAX_ERRORS = 20;

/**
 * `allowedOrigins` in canonical form, each entry once.
 * @param field the name of the field that the error reports, as the request spelled it
 * @throws {InvalidRequestError} `invalid_origin`
 */
export function checkOrigins(field: string, entries: readonly string[]): string[] {
  return canonicalList(field, entries, canonicalOriginPattern, {
    code: 'invalid_origin',
    isInvalid: (error) => error instanceof InvalidOriginPatternError,
  });
}

/**
 * `allowedIpAddresses` or `deniedIpAddresses` in canonical form, each entry once.
 * @param field the name of the field that the error reports, as the request spelled it
 * @throws {InvalidRequestError} `invalid_address`
 */
export function checkAddresses(field: string, entries: readonly string[]): string[] {
  return canonicalList(field, entries, canonicalAddressRange, {
    code: 'invalid_address',
    isInvalid: (error) => error instanceof InvalidAddressRangeError,
  });
}

/**
 * @throws {InvalidRequestError} `code`, with the message of each invalid entry under its path, as `allowedOrigins.2`
 */
function canonicalList(
  field: string,
  entries: readonly string[],
  canonical: (entry: string) => string,
  { code, isInvalid }: { readonly code: string; readonly isInvalid: (error: unknown) => error is Error },
): string[] {
  const list = new Set<string>();
  const errors: Record<string, string[]> = {};
  for (const [index, entry] of entries.entries()) {
    try {
      list.add(canonical(entry));
    } catch (error) {
      if (!isInvalid(error)) throw error;
      errors[`${field}.${index}`] = [error.message];
      if (Object.keys(errors).length === MAX_ERRORS) break;
    }
  }
  if (Object.keys(errors).length > 0) throw new InvalidRequestError(errors, { code });
  return [...list];
}
