import { ALLOW, deny, listPreview, type Rule } from './rule.js';

/**
 * The token permits the country of the address. An unknown country is on no list: `allowedCountries` refuses it, and
 * `deniedCountries` alone permits it.
 */
export const countryAllowed: Rule = {
  name: 'country-allowed',
  decide: ({ token, country }) => (!token || token.permitsCountry(country) ? ALLOW : deny('country_not_allowed')),
  looksAt: ({ token, country = null }) => ({
    country,
    allowedCountries: listPreview(token?.allowedCountries),
    deniedCountries: listPreview(token?.deniedCountries),
  }),
};
