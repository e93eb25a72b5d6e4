import type { Rule } from './access-request.js';
import { firstOf } from './first-of.js';
import { ALLOW, deny } from './verdict.js';

/** The address is one that the token may be used from. A token that names no address may be used from all. */
export const addressAllowed: Rule = {
  name: 'address-allowed',
  decide: ({ token, address }) => (!token || token.permitsAddress(address) ? ALLOW : deny('address_not_allowed')),
  looksAt: ({ token, address }) => ({ address, allowedIpAddresses: firstOf(token?.allowedIpAddresses) }),
};
