import type { AccessRequest } from './access-request.js';
import { ALLOW, deny, type Verdict } from './verdict.js';

/** A token that was presented is one of the account's. Another account's token is as good as an invented one. */
export function tokenKnown({ presented, token, accountId }: AccessRequest): Verdict {
  return (token ? token.accountId === accountId : !presented) ? ALLOW : deny('token_unknown');
}
