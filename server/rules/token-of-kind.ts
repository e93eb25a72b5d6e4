import type { Rule } from './access-request.js';
import { ALLOW, deny } from './verdict.js';

/** Publish tokens publish and subscribe tokens watch; neither does the other's work. */
export const tokenOfKind: Rule = {
  name: 'token-of-kind',
  decide: ({ kind, token }) => (!token || token.kind === kind ? ALLOW : deny('token_wrong_kind')),
  looksAt: ({ kind, token }) => ({ kind: token?.kind ?? null, needed: kind }),
};
