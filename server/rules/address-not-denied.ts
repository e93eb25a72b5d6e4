import { ALLOW, deny, listPreview, type Rule } from './rule.js';

/** The token does not deny the address. It comes before the list of allowed addresses, so an address in both is denied. */
export const addressNotDenied: Rule = {
  name: 'address-not-denied',
  decide: ({ token, address }) => (token?.deniesAddress(address) ? deny('address_denied') : ALLOW),
  looksAt: ({ token, address }) => ({ address, deniedIpAddresses: listPreview(token?.deniedIpAddresses) }),
};
