import { ALLOW, deny, listPreview, type Rule } from './rule.js';

/** The token permits the address. A token without a list of addresses permits all. */
export const addressAllowed: Rule = {
  name: 'address-allowed',
  decide: ({ token, address }) => (!token || token.permitsAddress(address) ? ALLOW : deny('address_not_allowed')),
  looksAt: ({ token, address }) => ({ address, allowedIpAddresses: listPreview(token?.allowedIpAddresses) }),
};
