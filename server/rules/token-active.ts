import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Verdict } from './verdict.js';

/** The token has not been switched off. */
export function tokenActive({ token }: AccessRequest): Verdict {
  return !token || token.isActive ? ALLOW : deny('token_disabled');
}
