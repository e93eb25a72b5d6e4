import { ALLOW, deny, type Rule } from './rule.js';

/** A publish token publishes and a subscribe token watches, not the reverse. */
export const tokenOfKind: Rule = {
  name: 'token-of-kind',
  decide: ({ kind, token }) => (!token || token.kind === kind ? ALLOW : deny('token_wrong_kind')),
  looksAt: ({ kind, token }) => ({ kind: token?.kind ?? null, needed: kind }),
};
