import type { Rule } from './access-request.js';
import { ALLOW, deny } from './verdict.js';

/** A token that was presented is one of the account's. Another account's token is as good as an invented one. */
export const tokenKnown: Rule = {
  name: 'token-known',
  decide: ({ presented, token, accountId }) =>
    (token ? token.accountId === accountId : !presented) ? ALLOW : deny('token_unknown'),
  looksAt: ({ presented, token, accountId }) => ({
    presented,
    tokenId: token?.accountId === accountId ? token.id : null,
  }),
};
