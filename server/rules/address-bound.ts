import type { CompiledToken, Rule } from './access-request.js';
import { firstOf } from './first-of.js';
import { ALLOW, deny } from './verdict.js';

/**
 * A token that binds the addresses of its first users is bound to this one, or has a place left. Whether the place is
 * still there when it is taken, only the store can tell. An address that cannot be told gets none.
 */
export const addressBound: Rule = {
  name: 'address-bound',
  decide: ({ token, address }) =>
    !token || token.bindIpsOnUsage === 0 || hasPlaceFor(token, address) ? ALLOW : deny('address_not_bound'),
  looksAt: ({ token, address }) => ({
    address,
    bindIpsOnUsage: token?.bindIpsOnUsage ?? null,
    boundIps: firstOf(token?.boundIps.map((bound) => bound.address)),
  }),
};

function hasPlaceFor(token: CompiledToken, address: string): boolean {
  if (address === '') return false;
  return token.boundIps.length < token.bindIpsOnUsage || token.isBoundTo(address);
}
