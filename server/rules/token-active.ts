import { ALLOW, deny, type Rule } from './rule.js';

/** The token is not disabled. */
export const tokenActive: Rule = {
  name: 'token-active',
  decide: ({ token }) => (!token || token.isActive ? ALLOW : deny('token_disabled')),
  looksAt: ({ token }) => ({ isActive: token?.isActive ?? null }),
};
