import type { CompiledToken } from '../tokens/compiled-token.js';
import { ALLOW, deny, listPreview, type Rule } from './rule.js';

/**
 * A token that binds the addresses of its first users is bound to this address, or can bind one more. Only the store
 * can tell whether that is still possible when the address is bound. An unknown address is never bound.
 */
export const addressBound: Rule = {
  name: 'address-bound',
  decide: ({ token, address }) =>
    !token || token.bindIpsOnUsage === 0 || canBind(token, address) ? ALLOW : deny('address_not_bound'),
  looksAt: ({ token, address }) => ({
    address,
    bindIpsOnUsage: token?.bindIpsOnUsage ?? null,
    boundIps: listPreview(token?.boundIps.map((bound) => bound.address)),
  }),
};

function canBind(token: CompiledToken, address: string): boolean {
  if (address === '') return false;
  return token.boundIps.length < token.bindIpsOnUsage || token.isBoundTo(address);
}
