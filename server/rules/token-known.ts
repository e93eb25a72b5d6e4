import { ALLOW, deny, type Rule } from './rule.js';

/** A presented token belongs to the account. A token of another account counts as unknown. */
export const tokenKnown: Rule = {
  name: 'token-known',
  decide: ({ presented, token, accountId }) =>
    (token ? token.accountId === accountId : !presented) ? ALLOW : deny('token_unknown'),
  looksAt: ({ presented, token, accountId }) => ({
    presented,
    tokenId: token?.accountId === accountId ? token.id : null,
  }),
};
