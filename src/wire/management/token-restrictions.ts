import * as z from 'zod/mini';
import { text } from '../text.js';
import { countries } from './token-countries.js';

export const MAX_ORIGINS = 1_000;
export const MAX_ADDRESSES = 1_000;
/** Maximum length of an entry, in characters. No origin or address is longer. */
const MAX_ENTRY_LENGTH = 300;

const entry = text.check(z.minLength(1), z.maxLength(MAX_ENTRY_LENGTH));

/** A list that may be null, which many clients send for a list of nothing. */
export const listOrNull = <Entry extends z.ZodMiniType>(list: z.ZodMiniArray<Entry>) =>
  z.pipe(
    z.nullable(list),
    z.transform((given) => given ?? []),
  );

/**
 * Allowed origins: `example.com`, `*.example.com`, `example.com:8443`, `https://example.com`, `tauri://localhost`. Empty:
 * all.
 */
export const allowedOrigins = listOrNull(z.array(entry).check(z.maxLength(MAX_ORIGINS)));

/** Allowed addresses of clients: IPv4, IPv6, or a CIDR range of either. Empty: all. */
export const allowedIpAddresses = listOrNull(z.array(entry).check(z.maxLength(MAX_ADDRESSES)));

/** Addresses of clients that are refused, written as the allowed ones. An address in both lists is refused. */
export const deniedIpAddresses = listOrNull(z.array(entry).check(z.maxLength(MAX_ADDRESSES)));

/** Number of addresses that a token binds on first use. After that, it works from no other address. 0 and null: off. */
export const bindIpsOnUsage = z.nullable(z.int().check(z.gte(0), z.lte(MAX_ADDRESSES)));

/** The restrictions of a token in a create request. */
export const restrictions = {
  allowedOrigins: z.optional(allowedOrigins),
  allowedIpAddresses: z.optional(allowedIpAddresses),
  deniedIpAddresses: z.optional(deniedIpAddresses),
  /** Countries as ISO 3166-1 codes of two letters. Empty or null: all. Only a server with a database of countries. */
  allowedCountries: z.optional(countries),
  /** Countries that may not use the token. */
  deniedCountries: z.optional(countries),
  bindIpsOnUsage: z.optional(bindIpsOnUsage),
};

/** The restrictions in an update. Existing clients write `update` before each name. */
export const revisedRestrictions = {
  ...restrictions,
  updateAllowedOrigins: z.optional(allowedOrigins),
  updateAllowedIpAddresses: z.optional(allowedIpAddresses),
  updateDeniedIpAddresses: z.optional(deniedIpAddresses),
  updateAllowedCountries: z.optional(countries),
  updateDeniedCountries: z.optional(countries),
  updateBindIpsOnUsage: z.optional(bindIpsOnUsage),
};

const SPELLINGS = [
  ['allowedOrigins', 'updateAllowedOrigins'],
  ['allowedIpAddresses', 'updateAllowedIpAddresses'],
  ['deniedIpAddresses', 'updateDeniedIpAddresses'],
  ['allowedCountries', 'updateAllowedCountries'],
  ['deniedCountries', 'updateDeniedCountries'],
  ['bindIpsOnUsage', 'updateBindIpsOnUsage'],
] as const;

export type RevisedRestrictions = z.infer<z.ZodMiniObject<typeof revisedRestrictions>>;

/** Refuses a field whose two spellings have different values. */
export const spellingsAgree = z.superRefine<RevisedRestrictions>((change, context) => {
  for (const [plain, prefixed] of SPELLINGS) {
    const [one, other] = [change[plain], change[prefixed]];
    if (one === undefined || other === undefined || JSON.stringify(one) === JSON.stringify(other)) continue;
    context.addIssue({ code: 'custom', path: [prefixed], message: `differs from ${plain}`, input: other });
  }
});

/** An update with plain names only. */
export function withPlainNames<Change extends RevisedRestrictions>(change: Change) {
  const {
    updateAllowedOrigins,
    updateAllowedIpAddresses,
    updateDeniedIpAddresses,
    updateAllowedCountries,
    updateDeniedCountries,
    updateBindIpsOnUsage,
    ...plain
  } = change;
  return {
    ...plain,
    ...(updateAllowedOrigins !== undefined && { allowedOrigins: updateAllowedOrigins }),
    ...(updateAllowedIpAddresses !== undefined && { allowedIpAddresses: updateAllowedIpAddresses }),
    ...(updateDeniedIpAddresses !== undefined && { deniedIpAddresses: updateDeniedIpAddresses }),
    ...(updateAllowedCountries !== undefined && { allowedCountries: updateAllowedCountries }),
    ...(updateDeniedCountries !== undefined && { deniedCountries: updateDeniedCountries }),
    ...(updateBindIpsOnUsage !== undefined && { bindIpsOnUsage: updateBindIpsOnUsage }),
  };
}
