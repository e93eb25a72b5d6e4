import type { Rule } from './access-request.js';
import { ALLOW, deny } from './verdict.js';

/** The token has not been switched off. */
export const tokenActive: Rule = {
  name: 'token-active',
  decide: ({ token }) => (!token || token.isActive ? ALLOW : deny('token_disabled')),
  looksAt: ({ token }) => ({ isActive: token?.isActive ?? null }),
};
