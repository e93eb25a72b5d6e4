import type { AccessRequest, Rule } from './access-request.js';
import { ALLOW, deny } from './verdict.js';

/** A publisher always brings a token; a viewer brings one where the stream asks for it. */
export const tokenPresentIfRequired: Rule = {
  name: 'token-present-if-required',
  decide: (request) => (request.presented || !isRequired(request) ? ALLOW : deny('token_missing')),
  looksAt: (request) => ({ presented: request.presented, required: isRequired(request) }),
};

function isRequired({ kind, stream }: AccessRequest): boolean {
  return kind === 'publish' || stream.requiresToken;
}
