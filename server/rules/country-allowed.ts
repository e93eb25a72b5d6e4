import type { CompiledToken } from '../tokens/compiled-token.js';
import { ALLOW, deny, listPreview, type Rule } from './rule.js';

/**
 * The token permits the country of the address. An unknown country is on no list: `allowedCountries` refuses it, and
 * `deniedCountries` alone permits it. But an address that is unknown itself can be of every country: each list refuses it.
 */
export const countryAllowed: Rule = {
  name: 'country-allowed',
  decide: ({ token, address, country }) =>
    !token || (token.permitsCountry(country) && (address !== '' || !hasCountries(token)))
      ? ALLOW
      : deny('country_not_allowed'),
  looksAt: ({ token, country = null }) => ({
    country,
    allowedCountries: listPreview(token?.allowedCountries),
    deniedCountries: listPreview(token?.deniedCountries),
  }),
};

function hasCountries({ allowedCountries, deniedCountries }: CompiledToken): boolean {
  return allowedCountries.length > 0 || deniedCountries.length > 0;
}
