import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Verdict } from './verdict.js';

/** A token is good up to, and not including, the instant it expires. */
export function tokenNotExpired({ token, now }: AccessRequest): Verdict {
  return !token || token.expiresOn === null || now < token.expiresOn ? ALLOW : deny('token_expired');
}
