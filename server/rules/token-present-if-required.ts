import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Verdict } from './verdict.js';

/** A publisher always brings a token; a viewer brings one where the stream asks for it. */
export function tokenPresentIfRequired({ kind, presented, stream }: AccessRequest): Verdict {
  const required = kind === 'publish' || stream.requiresToken;
  return presented || !required ? ALLOW : deny('token_missing');
}
