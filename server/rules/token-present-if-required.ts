import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Rule } from './rule.js';

/** A publisher always needs a token. A viewer needs one if the stream requires it. */
export const tokenPresentIfRequired: Rule = {
  name: 'token-present-if-required',
  decide: (request) => (request.presented || !isRequired(request) ? ALLOW : deny('token_missing')),
  looksAt: (request) => ({ presented: request.presented, required: isRequired(request) }),
};

function isRequired({ kind, stream }: AccessRequest): boolean {
  return kind === 'publish' || stream.requiresToken;
}
